import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import sharp from 'sharp'
import { nameColumns } from '../../src/accounts/names/names-in-use.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { validateFile } from '../../src/platform/files/uploads/validate-file.ts'
import { attachmentDraft } from '../clinical/attachments.ts'
import { storedFiles } from '../clinical/kept-files.ts'
import { recordDraft } from '../clinical/medical-records.ts'
import { streamOf, writtenPdf } from '../clinical/pdfs.ts'
import { formOf } from '../multipart.ts'
import {
  openUsedInstallation,
  password,
  type Server,
  spawnServer,
  untilReady,
} from '../processes/killed-server.ts'
import { cheapPasswordHash } from '../users.ts'

const emailUsuario = 'clinica@exemplo.com.br'

/** Requests answered with 201: address → the content it must return from then on. */
type Acknowledged = Map<string, Buffer | string>

const filesIn = (acknowledged: Acknowledged): number =>
  [...acknowledged.keys()].filter((address) => address.startsWith('/anexos')).length

const createClinician = async (dataDir: string): Promise<void> => {
  const db = await openUsedInstallation(dataDir)
  const senhaHash = await cheapPasswordHash
  await db
    .insertInto('usuario')
    .values({ ...nameColumns('Clínica'), emailUsuario, senhaHash, acessoProntuario: true })
    .execute()
  await db.destroy()
}

const signIn = async (url: string): Promise<string> => {
  const response = await fetch(`${url}/api/usuarios/authorizer`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ username: emailUsuario, password }),
  })
  if (!response.ok) throw new Error(`sign-in answered ${response.status}: ${await response.text()}`)
  return ((await response.json()) as { access_token: string }).access_token
}

/** Returns undefined once the server is killed and the connection breaks. */
const untilGone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof TypeError) return undefined
    throw error
  })

const created = async (response: Response): Promise<{ id: number }> => {
  if (response.status !== 201) throw new Error(`answered ${response.status}: ${await response.text()}`)
  return (await response.json()) as { id: number }
}

const newImage = () =>
  sharp(randomBytes(200 * 150 * 3), { raw: { width: 200, height: 150, channels: 3 } })
    .png()
    .toBuffer()
const newPdf = async () => writtenPdf({ objects: [streamOf('', randomBytes(30_000))] })

const uploadOne = async (url: string, token: string, tipo: 'IMG' | 'PDF'): Promise<[string, Buffer]> => {
  const bytes = await (tipo === 'IMG' ? newImage() : newPdf())
  const kept = tipo === 'IMG' ? (await validateFile(bytes)).bytes : bytes
  const form = formOf({ ...attachmentDraft, tipo_anexo: tipo }, { bytes, name: 'exame' })
  const headers = { authorization: `Bearer ${token}` }
  const { id } = await created(await fetch(`${url}/api/anexos`, { method: 'POST', headers, body: form }))
  return [`/anexos/${id}/arquivo`, kept]
}

const saveOne = async (url: string, token: string): Promise<[string, string]> => {
  const prescricao_beneficiario = randomBytes(200).toString('base64')
  const body = JSON.stringify({ ...recordDraft(), prescricao_beneficiario })
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const { id } = await created(await fetch(`${url}/api/prontuarios`, { method: 'POST', headers, body }))
  return [`/prontuarios/${id}`, prescricao_beneficiario]
}

const isThere = async (url: string, token: string, address: string, expected: Buffer | string) => {
  const response = await fetch(`${url}/api${address}`, { headers: { authorization: `Bearer ${token}` } })
  if (!response.ok) return false
  if (typeof expected !== 'string') return Buffer.from(await response.arrayBuffer()).equals(expected)
  return ((await response.json()) as { prescricao_beneficiario: string }).prescricao_beneficiario === expected
}

/** Returns the difference between files and attachments, after the tidying of a start. */
const orphans = async ({ url }: Server, token: string, dataDir: string): Promise<number> => {
  const headers = { authorization: `Bearer ${token}` }
  for (let waited = 0; ; waited += 100) {
    const rows = await fetch(`${url}/api/anexos?pagina=1&tamanho=1`, { headers })
    const files = await storedFiles(dataDir)
    const difference = files.length - Number(rows.headers.get('x-total-count'))
    if (difference === 0 || waited >= 10_000) return Math.abs(difference)
    await setTimeout(100)
  }
}

/**
 * Uploads files and saves records continuously, kills the server with SIGKILL at a random time,
 * restarts it, and checks everything acknowledged byte by byte.
 */
export const killDuringUploads = async (kills: number) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-kill-'))
  const acknowledged: Acknowledged = new Map()
  const result = { files: 0, records: 0, missing: [] as string[], orphans: 0, pending: 0 }
  try {
    await createClinician(dataDir)
    let asked = 0
    for (let round = 0; round <= kills; round += 1) {
      const server = await spawnServer(dataDir)
      if (!(await untilReady(server))) throw new Error(`start ${round} failed: ${server.output()}`)
      const { url, child } = server
      const token = await signIn(url)
      const isLast = round === kills
      for (const [address, expected] of [...acknowledged].slice(isLast ? 0 : asked)) {
        if (!(await isThere(url, token, address, expected))) result.missing.push(address)
      }
      asked = acknowledged.size
      result.orphans += await orphans(server, token, dataDir)
      const died = once(child, 'exit')
      if (isLast) {
        child.kill('SIGTERM')
        await died
        break
      }
      const write = async (work: () => Promise<[string, Buffer | string]>): Promise<void> => {
        for (let one = await untilGone(work()); one; one = await untilGone(work())) acknowledged.set(...one)
      }
      const writers = [
        // The maximum of concurrent uploads of one user.
        write(() => uploadOne(url, token, 'IMG')),
        write(() => uploadOne(url, token, 'PDF')),
        write(() => saveOne(url, token)),
      ]
      // At a random time, but after some uploads, also on a busy machine.
      const files = filesIn(acknowledged) + 3
      for (let waited = 0; waited < 40_000 && filesIn(acknowledged) < files; waited += 20)
        await setTimeout(20)
      await setTimeout(Math.random() * 800)
      child.kill('SIGKILL')
      await Promise.all([died, ...writers])
    }
    const db = await openDatabase({ dataDir, databaseUrl: undefined, onError: console.error })
    result.pending = (await db.selectFrom('arquivoPendente').selectAll().execute()).length
    const rows = await db.selectFrom('anexo').select('arquivo').execute()
    await db.destroy()
    const files = new Set(await storedFiles(dataDir))
    result.missing.push(...rows.flatMap(({ arquivo }) => (files.delete(String(arquivo)) ? [] : ['a file'])))
    result.orphans += files.size
    result.files = filesIn(acknowledged)
    result.records = acknowledged.size - result.files
    return result
  } finally {
    await rm(dataDir, { recursive: true, force: true })
  }
}
