import { createHmac, randomUUID } from 'node:crypto'
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { hasCode, unlessMissing } from '../../definitions/missing-files.ts'
import { createTextCipher } from '../../http/text-cipher.ts'
import type { Client } from './entra-client.ts'
import { EntraError } from './entra-error.ts'
import type { ServiceFile } from './service-file.ts'

export type User = ServiceFile['users'][number]

/** What an encrypted refresh token contains. `until` is in seconds since the epoch. */
const Content = z.object({
  signIn: z.string(),
  turn: z.int(),
  client: z.string(),
  username: z.string(),
  credentials: z.string(),
  hadProof: z.boolean(),
  scope: z.string(),
  until: z.number(),
})
type Content = z.infer<typeof Content>
/** The scope of the sign-in, which a refresh may repeat. */
type Grant = { user: User; scope: string }

/** A folder in the data folder, with one empty file per sign-in that can be refreshed. */
export const SIGN_INS = '.renovacoes'
/** Counted from the sign-in; refreshing does not extend it. */
const LIFE_SECONDS = 24 * 3600
/** The oldest sign-ins beyond it end. */
const MAX_SIGN_INS = 10_000
const SWEEP_MS = 60_000

export type RefreshTokens = ReturnType<typeof createRefreshTokens>

/**
 * Issues and redeems refresh tokens, each of which is valid once. The name of a sign-in's file,
 * `<until>.<sign-in>.<turn>`, says which token is the valid one: redeeming it renames the file, so
 * one of several processes wins. A token that was already redeemed ends the sign-in.
 */
export const createRefreshTokens = (
  { signingKey, users }: ServiceFile,
  dataDir: string,
  now: () => number,
) => {
  const cipher = createTextCipher(signingKey, 'refresh tokens')
  const folder = join(dataDir, SIGN_INS)
  let nextSweep = 0

  const credentialsOf = ({ clientSecret }: Client, { password }: User) =>
    createHmac('sha256', signingKey)
      .update(JSON.stringify(['refresh token credentials', clientSecret, password]))
      .digest('base64url')

  const remove = (names: string[]) =>
    Promise.all(names.map((name) => rm(join(folder, name), { force: true })))

  /** Repeated, because another process may rename the file before it is deleted. */
  async function end(signIn: string) {
    const namesOf = async () =>
      ((await readdir(folder).catch(unlessMissing)) ?? []).filter((name) => name.includes(`.${signIn}.`))
    for (let names = await namesOf(); names.length > 0; names = await namesOf()) await remove(names)
  }

  /** Deletes expired sign-ins, and the oldest ones when there are too many. */
  async function sweep() {
    if (now() < nextSweep) return
    nextSweep = now() + SWEEP_MS
    const names = (await readdir(folder)).sort((one, other) => untilOf(one) - untilOf(other))
    const surplus = names.length - MAX_SIGN_INS
    await remove(names.filter((name, index) => untilOf(name) * 1000 <= now() || index < surplus))
  }

  function decrypt(token: string): Content {
    try {
      return Content.parse(JSON.parse(cipher.decrypt(token)))
    } catch {
      throw malformed()
    }
  }

  return {
    /** Starts a sign-in that can be refreshed. */
    async issue(client: Client, { user, scope }: Grant): Promise<string> {
      const content: Content = {
        signIn: randomUUID(),
        turn: 0,
        client: client.clientId,
        username: user.username,
        credentials: credentialsOf(client, user),
        hadProof: client.hasProof,
        scope,
        until: Math.floor(now() / 1000) + LIFE_SECONDS,
      }
      await mkdir(folder, { recursive: true, mode: 0o700 })
      await sweep()
      await (await open(join(folder, nameOf(content)), 'wx', 0o600)).close()
      return cipher.encrypt(JSON.stringify(content))
    },

    /**
     * Ends a token and returns the next one.
     * @param checkScope throws when the sign-in did not grant the scope; the token stays valid
     * @throws EntraError invalid_grant; the error itself when the folder cannot be used
     */
    async redeem(
      token: string,
      client: Client,
      checkScope: (granted: string) => void,
    ): Promise<Grant & { next: string }> {
      const content = decrypt(token)
      if (content.client !== client.clientId) throw malformed()
      if (content.hadProof && !client.hasProof) throw malformed()
      if (content.until * 1000 <= now())
        throw new EntraError('invalid_grant', 700082, 'The refresh token has expired.')
      const user = users.find(({ username }) => username === content.username)
      if (!user || credentialsOf(client, user) !== content.credentials) {
        await end(content.signIn)
        throw revoked()
      }
      checkScope(content.scope)
      const following = { ...content, turn: content.turn + 1 }
      try {
        await rename(join(folder, nameOf(content)), join(folder, nameOf(following)))
      } catch (error) {
        if (!hasCode(error, 'ENOENT')) throw error
        await end(content.signIn)
        throw revoked()
      }
      return { user, scope: content.scope, next: cipher.encrypt(JSON.stringify(following)) }
    },
  }
}

const nameOf = ({ until, signIn, turn }: Content) => `${until}.${signIn}.${turn}`
const untilOf = (name: string) => Number(name.split('.', 1)[0]) || 0

const malformed = () => new EntraError('invalid_grant', 70000, 'Provided grant is invalid or malformed.')
const revoked = () =>
  new EntraError(
    'invalid_grant',
    50173,
    'The provided grant has expired due to it being revoked, a fresh auth token is needed.',
  )
