import { randomBytes, randomUUID } from 'node:crypto'
import { chmod, link, mkdir, unlink, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { readIfThere } from '../../definitions/missing-files.ts'

const ServiceFile = z.object({
  tenantId: z.guid(),
  /** Domain names that clients may use as the tenant, besides those of the users. */
  tenantDomains: z.array(z.string().regex(/^[a-z\d-]+(\.[a-z\d-]+)*$/i)).optional(),
  /** Signs every token; base64url of 32 bytes. Changing it invalidates all tokens. */
  signingKey: z.string().min(43),
  applications: z.array(z.object({ clientId: z.guid(), clientSecret: z.string().min(16) })).min(1),
  users: z.array(z.object({ username: z.string().min(1), password: z.string().min(12) })),
})

/** The credentials of this service, which Entra would hold. */
export type ServiceFile = z.infer<typeof ServiceFile>

/** A file in the data folder, which only its owner can read. */
export const SERVICE_FILE = 'service.json'

/**
 * Returns the application that may read the archive: the first one, which the service creates for
 * the portal. Others belong to other programs.
 */
export const archiveClientIdOf = ({ applications }: ServiceFile): string =>
  applications[0]?.clientId.toLowerCase() ?? ''

/**
 * Reads `<dir>/service.json`, or creates it at the first start with random credentials: one
 * application (service principal) and one master user.
 * @param onCreated called with credentials that this call created
 * @throws Error when the file exists but is unusable: credentials are never silently replaced
 */
export const ensureServiceFile = async (
  dir: string,
  onCreated: (created: ServiceFile) => void = () => {},
): Promise<ServiceFile> => {
  const path = join(dir, SERVICE_FILE)
  await mkdir(dir, { recursive: true, mode: 0o700 })
  const text = (await readIfThere(path)) ?? (await create(path, onCreated))
  const parsed = ServiceFile.safeParse(parseJson(text))
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new Error(`${path} não pode ser usado: ${issue?.path.join('.') || 'conteúdo'} inválido.`)
  }
  return parsed.data
}

/** Hard-links a temporary file: no reader sees half a file, and one of two first starts wins. */
const create = async (path: string, onCreated: (created: ServiceFile) => void): Promise<string> => {
  const credentials = newCredentials()
  const text = `${JSON.stringify(credentials, null, 2)}\n`
  const aside = `${path}.${randomUUID()}`
  await writeFile(aside, text, { mode: 0o600, flag: 'wx', flush: true })
  try {
    await chmod(aside, 0o600)
    await link(aside, path)
    onCreated(credentials)
    return text
  } catch (error) {
    const winner = await readIfThere(path)
    if (winner === undefined) throw error
    return winner
  } finally {
    await unlink(aside)
  }
}

const newCredentials = (): ServiceFile => {
  return {
    tenantId: randomUUID(),
    signingKey: randomBytes(32).toString('base64url'),
    applications: [{ clientId: randomUUID(), clientSecret: randomBytes(32).toString('base64url') }],
    users: [{ username: 'relatorios@local', password: randomBytes(24).toString('base64url') }],
  }
}

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
