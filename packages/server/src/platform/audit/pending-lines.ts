import { randomBytes } from 'node:crypto'
import { mkdir, open, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import type { Config } from '../config/config.ts'
import type { Encrypted, Secrets } from '../config/secrets.ts'
import type { Db } from '../db/open-database.ts'
import { noneIfMissing } from '../lib/missing-files.ts'
import { syncFolder } from '../lib/sync-folder.ts'
import { type AuditEvent, createRowSigner, insertAuditRows, type SignedRow } from './write-audit.ts'

/*
 * Audit lines that wait in files of DATA_DIR until the database accepts writes again
 * (docs/decisions/0096). One encrypted file holds the lines of one moment and is never changed, so a
 * crash leaves either the whole file or a temporary one, which is ignored.
 */

const folderOf = ({ dataDir }: Pick<Config, 'dataDir'>): string => join(dataDir, 'audit-pending')
const suffix = '.sealed'
const contextOf = (name: string): string => `audit-pending/${name}`

interface Options {
  secrets: Secrets
  config: Pick<Config, 'dataDir'>
  now: () => Date
}

/**
 * Returns a function that keeps audit lines in a file until they can be entered. They are on the disk
 * when it resolves.
 * @throws the error of the file system when they are not
 */
export const createPendingAudit = ({ secrets, config, now }: Options) => {
  const signRows = createRowSigner(secrets, now)
  const writer = randomBytes(6).toString('base64url')
  let written = 0
  return async (events: AuditEvent[]): Promise<void> => {
    const folder = folderOf(config)
    written += 1
    // Sorted by name, files are in the order of their lines.
    const order = [now().getTime(), written].map((part) => String(part).padStart(15, '0')).join('-')
    const name = `${order}-${writer}${suffix}`
    const text = secrets.encrypt(JSON.stringify(signRows(events)), contextOf(name))
    if (await mkdir(folder, { recursive: true, mode: 0o700 })) await syncFolder(config.dataDir)
    const temporary = join(folder, `${name}.tmp`)
    const file = await open(temporary, 'wx', 0o600)
    try {
      await file.writeFile(text)
      await file.sync()
    } finally {
      await file.close()
    }
    await rename(temporary, join(folder, name))
    await syncFolder(folder)
  }
}

const Rows = z.array(
  z.object({
    evento: z.string(),
    quando: z.string(),
    idUsuario: z.int().nullable(),
    acao: z.string(),
    objeto: z.string().nullable(),
    detalhes: z.record(z.string(), z.unknown()),
    endereco: z.string().nullable(),
    idRequisicao: z.string().nullable(),
    chave: z.string(),
    marca: z.string(),
  }),
)

/**
 * Enters the lines that wait in files, in their order and with their own times. A file that was
 * entered before a crash, or by another process on the same folder, adds nothing.
 * @param onUnreadable called with each file that was altered, or encrypted with unknown keys; it stays
 * @throws the error of the database while it accepts no writes
 */
export const enterPendingLines = async (
  { db, secrets, config }: { db: Db; secrets: Secrets; config: Pick<Config, 'dataDir'> },
  onUnreadable: (name: string, error: unknown) => void,
): Promise<number> => {
  const folder = folderOf(config)
  const names = (await readdir(folder).catch(noneIfMissing))?.filter((name) => name.endsWith(suffix)) ?? []
  let entered = 0
  for (const name of names.sort()) {
    const file = join(folder, name)
    const text = await readFile(file, 'utf8').catch(noneIfMissing)
    // Another process on this folder has entered it.
    if (text === undefined) continue
    const rows = readRows(secrets, name, text, onUnreadable)
    if (!rows) continue
    await insertAuditRows(db, await withoutEntered(db, rows))
    await rm(file, { force: true })
    entered += rows.length
  }
  return entered
}

/** By mark, not by event alone: a row with the same event could have been written by other means. */
const withoutEntered = async (db: Db, rows: SignedRow[]): Promise<SignedRow[]> => {
  const marks = rows.map(({ marca }) => marca)
  const events = rows.map(({ evento }) => evento)
  const found = await db
    .selectFrom('auditoria')
    .select('marca')
    .where('evento', 'in', events)
    .where('marca', 'in', marks)
    .execute()
  const entered = new Set(found.map(({ marca }) => marca))
  return rows.filter(({ marca }) => !entered.has(marca))
}

const readRows = (
  secrets: Secrets,
  name: string,
  text: string,
  onUnreadable: (name: string, error: unknown) => void,
): SignedRow[] | undefined => {
  try {
    const rows = Rows.parse(JSON.parse(secrets.decrypt(text as Encrypted, contextOf(name))))
    return rows.map(({ quando, ...row }) => ({ ...row, quando: new Date(quando) }))
  } catch (error) {
    onUnreadable(name, error)
    return undefined
  }
}
