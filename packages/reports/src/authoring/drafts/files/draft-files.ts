import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { z } from 'zod'
import { PUBLICATION_DIR } from '../../../definitions/publication-dir.ts'
import { kindOfFile } from '../../../engine/spreadsheets/file-kind.ts'
import { PowerBiError } from '../../../http/power-bi-error.ts'
import type { InTurn } from '../../publish/fair-turns.ts'

/*
 * A draft is a sent data file from which a report is published. The service keeps it for a day in
 * `<data>/.publicacao/rascunhos/<id>/`, and does not load it as a dataset.
 */

/** Bytes of one data file. */
export const DRAFT_BYTES = 50 * 1024 * 1024
/** Drafts kept of one person; another one replaces the oldest. */
export const MAX_DRAFTS = 30
/** Drafts kept of all people together. */
export const MAX_OF_ALL = 150
/**
 * Drafts of all people from which only people with fewer than `FAIR_SHARE` get more: a few people
 * who have many cannot keep the others out.
 */
export const MAX_OF_MANY = 100
/** The files of one report. */
export const FAIR_SHARE = 10
/** Milliseconds after which a person's draft may make room when there are too many of all people. */
const UNUSED_MS = 30 * 60_000
/** Milliseconds after which a draft is deleted. */
const KEPT_MS = 24 * 3_600_000

const OriginFile = z.object({
  id: z.guid(),
  /** The name of the sent file, such as 'Atendimentos 2026.csv'. */
  name: z.string(),
  kind: z.enum(['csv', 'parquet', 'xlsx']),
  /** Ids of what will be published, the same at each attempt. */
  datasetId: z.guid(),
  reportId: z.guid(),
  workspaceId: z.guid(),
  /** Who sent it, as the portal names the person: others do not find it. */
  owner: z.string().optional(),
})
export type Draft = z.infer<typeof OriginFile> & {
  folder: string
  /** The sent file. */
  file: string
  /** The same rows, as they were read last: typed, with names that SQL takes without quotes. */
  data: string
  /** Exists while the file is read in two ways, and says so: then there is no `data`. */
  doubt: string
}

const ORIGIN_FILE = 'origem.json'
/** The file that names the owner, in a draft of one file and in a sent folder. */
export const ORIGIN_FILES = [ORIGIN_FILE, 'pasta.json'] as const

/** Relative to the data folder. */
export const DRAFTS_DIR = join(PUBLICATION_DIR, 'rascunhos')
export const draftsFolder = (dataDir: string) => join(dataDir, DRAFTS_DIR)
/** The caller has checked that the id is a GUID: it cannot lead to another folder. */
export const draftFolder = (dataDir: string, id: string) => join(draftsFolder(dataDir), id)

export type NewDraft = { owner: string; now: number; inTurn: InTurn }

/**
 * Creates the folder of a new draft. At the limit, the person's oldest drafts make room: a reloaded
 * page sends its files again. `discarded`: their names.
 * @throws PowerBiError 429 with too many drafts of all people
 */
export const newDraftFolder = async (
  dataDir: string,
  id: string,
  { owner, now, inTurn }: NewDraft,
): Promise<{ folder: string; discarded: string[] }> => {
  const most = await tooMany(dataDir, owner, now)
  // In turn: no call may be reading what is deleted.
  const discarded = most.length > 0 ? await inTurn(owner, () => makeRoom(dataDir, owner, now)) : []
  const folder = draftFolder(dataDir, id)
  await mkdir(folder, { recursive: true, mode: 0o700 })
  return { folder, discarded }
}

/**
 * Returns the person's drafts that a new one replaces, the oldest first.
 * @throws PowerBiError 429 with too many drafts of all people
 */
const tooMany = async (dataDir: string, owner: string, now: number): Promise<OwnDraft[]> => {
  const kept = await deleteOldDrafts(dataDir, now)
  const own = await ownDrafts(dataDir, kept, owner)
  const ofOwn = own.length - MAX_DRAFTS + 1
  // In exchange for one of their own, the number of all stays.
  const ofAll = kept.length >= (own.length < FAIR_SHARE ? MAX_OF_ALL : MAX_OF_MANY) ? 1 : 0
  const excess = Math.max(ofOwn, ofAll)
  // Files that the person sends together must not make room for each other.
  const unused = own.filter(({ usedAt }) => now - usedAt > UNUSED_MS)
  if (excess > ofOwn && excess > unused.length)
    throw new PowerBiError(429, 'TooManyDrafts', `There are ${kept.length} drafts of all people already`)
  return own.slice(0, excess)
}

const makeRoom = async (dataDir: string, owner: string, now: number): Promise<string[]> => {
  // Another call may have made room.
  const replaced = await tooMany(dataDir, owner, now)
  for (const { id } of replaced) await rm(draftFolder(dataDir, id), { recursive: true, force: true })
  return replaced.map(({ name }) => name)
}

const draftOf = (folder: string, origin: z.infer<typeof OriginFile>): Draft => ({
  ...origin,
  folder,
  file: join(folder, `enviado.${origin.kind}`),
  data: join(folder, 'dados.parquet'),
  doubt: join(folder, 'duvida.txt'),
})

/**
 * Stores a sent file. Its content decides its kind, whatever its name.
 * @throws PowerBiError 413 above `DRAFT_BYTES`, 429 with too many drafts of all people
 */
export const createDraft = async (
  dataDir: string,
  { name, bytes, ...person }: Pick<Draft, 'name'> & NewDraft & { bytes: Readable },
): Promise<{ draft: Draft; discarded: string[] }> => {
  const id = randomUUID()
  const { folder, discarded } = await newDraftFolder(dataDir, id, person)
  const { owner } = person
  const received = join(folder, 'recebido')
  try {
    const limited = limitedTo(DRAFT_BYTES, `A file has at most ${DRAFT_BYTES} bytes`)
    await pipeline(bytes, limited, createWriteStream(received, { mode: 0o600, flags: 'wx' }))
    const origin = {
      id,
      owner,
      name,
      kind: await kindOfFile(received),
      datasetId: randomUUID(),
      reportId: randomUUID(),
      workspaceId: randomUUID(),
    }
    const draft = draftOf(folder, origin)
    await rename(received, draft.file)
    await writeFile(join(folder, ORIGIN_FILE), JSON.stringify(origin), { mode: 0o600 })
    return { draft, discarded }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    throw error
  }
}

/** Returns a step of a pipeline that throws PowerBiError 413 after `most` bytes. */
export const limitedTo = (most: number, message: string) =>
  async function* limit(chunks: AsyncIterable<Buffer>) {
    let length = 0
    for await (const chunk of chunks) {
      length += chunk.length
      if (length > most) throw new PowerBiError(413, 'RequestTooLarge', message)
      yield chunk
    }
  }

/** @throws PowerBiError 404 when the owner has no such draft, or no longer */
export const findDraft = async (dataDir: string, id: string, owner: string): Promise<Draft> => {
  const folder = draftFolder(dataDir, id)
  const text = await readFile(join(folder, ORIGIN_FILE), 'utf8').catch(() => undefined)
  const origin = text === undefined ? undefined : OriginFile.parse(JSON.parse(text))
  // The previous version stored no owner.
  if (!origin || (origin.owner ?? owner) !== owner)
    throw new PowerBiError(404, 'DraftNotFound', 'The draft was not found')
  return draftOf(folder, origin)
}

const Origin = z.object({ owner: z.string(), name: z.string() })

/** Returns who sent a draft, and its name; undefined of a folder in which a call works. */
const originIn = async (folder: string) => {
  for (const name of ORIGIN_FILES) {
    const text = await readFile(join(folder, name), 'utf8').catch(() => undefined)
    const origin = text === undefined ? undefined : Origin.safeParse(valueIn(text)).data
    if (text !== undefined) return origin
  }
  return undefined
}

const ownerIn = async (folder: string): Promise<string | undefined> => (await originIn(folder))?.owner

/** Returns the value of a JSON text; undefined when a power failure has cut it short. */
const valueIn = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/**
 * Deletes a draft, of a file or of a folder.
 * @throws PowerBiError 404 when the owner has no such draft, or no longer
 */
export const discardDraft = async (dataDir: string, id: string, owner: string): Promise<void> => {
  const folder = draftFolder(dataDir, id)
  if ((await ownerIn(folder)) !== owner)
    throw new PowerBiError(404, 'DraftNotFound', 'The draft was not found')
  await rm(folder, { recursive: true, force: true })
}

type OwnDraft = { id: string; name: string; usedAt: number }

/** Returns those of the drafts that a person sent, the one that was used last at the end. */
const ownDrafts = async (dataDir: string, ids: string[], owner: string): Promise<OwnDraft[]> => {
  const drafts = await Promise.all(
    ids.map(async (id) => {
      const folder = draftFolder(dataDir, id)
      const origin = await originIn(folder)
      // Another call may delete it.
      const found = origin?.owner === owner && (await stat(folder).catch(() => undefined))
      return found ? [{ id, name: origin.name, usedAt: found.mtimeMs }] : []
    }),
  )
  return drafts.flat().toSorted((one, other) => one.usedAt - other.usedAt)
}

/** Deletes the drafts whose day is over, and returns the ids of the others. */
export const deleteOldDrafts = async (dataDir: string, now: number): Promise<string[]> => {
  const parent = draftsFolder(dataDir)
  const names = await readdir(parent).catch(() => [])
  const kept: string[] = []
  for (const name of names) {
    const found = await stat(join(parent, name)).catch(() => undefined)
    if (found && now - found.mtimeMs < KEPT_MS) kept.push(name)
    else await rm(join(parent, name), { recursive: true, force: true })
  }
  return kept.filter((name) => z.guid().safeParse(name).success)
}
