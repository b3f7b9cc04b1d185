import { randomUUID } from 'node:crypto'
import { sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { recordAudit } from '../../audit/record-audit.ts'
import { isPassword } from '../../auth/passwords.ts'
import { createBoundedCache } from '../../bounded-cache.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
import { endSession, findAccount, insertSession, isKnownDevice } from './sessions.repository.ts'
import { bookAttempt, foldName, forgetAttempt, networkOf, windowSeconds } from './sign-in-limits.ts'

export const sessionsRoutes = async (app: FastifyInstance, { db, config, secrets, now }: Services) => {
  const recordRefusal = (request: FastifyRequest, idUsuario: number | undefined, motivo: string) =>
    recordAudit(db, { action: 'session.refused', idUsuario: idUsuario ?? null, details: { motivo }, request })

  // A flood of refused attempts leaves one line a window, not a flood of lines.
  const refusals = createBoundedCache<number>(10_000)
  const isFirstRefusal = (key: string): boolean => {
    const time = now().getTime()
    const last = refusals.get(key)
    if (last !== undefined && time - last < windowSeconds * 1000) return false
    refusals.set(key, time)
    return true
  }

  serve(app, sessionsApi.signIn, async ({ body: { username, password } }, { request }) => {
    const account = await findAccount(db, username)
    const marca = deviceMark(request, secrets.digest)
    const known = account && marca ? await isKnownDevice(db, account.idUsuario, marca) : false
    const { perName, perAddress } = config.signInFailures
    // A device that the account knows has an allowance of its own, and none with its neighbours on the same address, so that
    // nobody can lock its owner out by guessing. All others count by what was typed: whether there is such a person must
    // not show in when the counting stops.
    const allowances = known
      ? [{ key: secrets.digest(`dispositivo:${account?.idUsuario}:${marca}`), limit: perName }]
      : [
          { key: secrets.digest(`nome:${foldName(username)}`), limit: perName },
          { key: secrets.digest(`endereco:${networkOf(request.ip)}`), limit: perAddress },
        ]
    const booking = await bookAttempt(db, allowances, now()).catch(async (error: unknown) => {
      const [{ key } = { key: '' }] = allowances
      if (isFirstRefusal(key)) await recordRefusal(request, account?.idUsuario, 'limite de tentativas')
      throw error
    })
    if (!(await isPassword(account?.senhaHash, password)) || !account?.senhaHash) {
      await recordRefusal(request, account?.idUsuario, 'credenciais')
      throw new Problem('credenciais_invalidas')
    }

    const { senhaHash } = account
    const idSessao = randomUUID()
    const created = now()
    const expiraEm = new Date(created.getTime() + config.session.seconds * 1000)
    await inTransaction(db, async (tx) => {
      await forgetAttempt(tx, booking)
      const dispositivo = request.headers['user-agent']?.slice(0, 300) ?? null
      const { idUsuario } = account
      const session = { idSessao, idUsuario, dispositivo, marca, senhaHash, now: created, expiraEm }
      if (!(await insertSession(tx, session))) throw new Problem('credenciais_invalidas')
      await recordAudit(tx, { action: 'session.created', idUsuario: account.idUsuario, request })
    })
    const claims = { iat: seconds(created), exp: seconds(expiraEm) }
    return {
      access_token: app.jwt.sign({ sub: String(account.idUsuario), jti: idSessao, ...claims }),
      token_type: 'Bearer' as const,
      expires_in: config.session.seconds,
      usuario_id: account.idUsuario,
      client_id: account.idResponsavel,
      tipo: account.tipoUsuario,
      nome: account.nomeUsuario,
    }
  })

  serve(app, sessionsApi.signOut, async (_, { user, request }) => {
    await inTransaction(db, async (tx) => {
      await endSession(tx, user.idSessao, now())
      await recordAudit(tx, { action: 'session.ended', idUsuario: user.idUsuario, request })
    })
  })

  serve(app, sessionsApi.current, async (_, { user }) => ({
    idUsuario: user.idUsuario,
    nomeUsuario: user.nomeUsuario,
    emailUsuario: user.emailUsuario,
    tipoUsuario: user.tipo,
    idResponsavel: user.idResponsavel,
    acessoProntuario: user.acessoProntuario,
    sessaoExpiraEm: user.sessaoExpiraEm.toISOString(),
    sessaoOciosaEm: new Date(user.sessaoUsadaEm.getTime() + config.session.idleSeconds * 1000).toISOString(),
  }))
}

const seconds = (date: Date): number => Math.floor(date.getTime() / 1000)

/** The random mark that a browser keeps once its owner has signed in there; its absence costs nothing but allowance. */
const deviceMark = (request: FastifyRequest, digest: (value: string) => string): string | undefined => {
  const mark = request.headers['x-dispositivo']
  return typeof mark === 'string' && /^[\w-]{22,64}$/.test(mark) ? digest(`dispositivo:${mark}`) : undefined
}
