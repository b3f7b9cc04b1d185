import { randomUUID } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { mkdir, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { isFileOfDefinitions } from '@bi-manager/contract/data-files'
import { z } from 'zod'
import type { DatasetDefinition } from '../../../definitions/definition.ts'
import { hasCode, unlessMissing } from '../../../definitions/missing-files.ts'
import { readUnit } from '../../../definitions/read-definitions.ts'
import { PowerBiError } from '../../../http/power-bi-error.ts'
import { type CheckResult, check, publish, type Settings } from '../../publish/publish.ts'
import { findUnits, nameFault } from '../../publish/units.ts'
import {
  DRAFT_BYTES,
  draftFolder,
  limitedTo,
  type NewDraft,
  newDraftFolder,
  ORIGIN_FILES,
} from './draft-files.ts'

/*
 * A folder with definitions, sent file by file: the layout that the command line publishes. Its ids
 * are the author's own, so it may replace what is published.
 */

/** Files of one folder. */
export const MAX_FILES = 100
/** `area/relatorio.json` below the folder of a unit, with one folder around it. */
const MAX_LEVELS = 4

const OriginFile = z.object({ id: z.guid(), name: z.string(), owner: z.string() })
export type FolderDraft = z.infer<typeof OriginFile> & { folder: string; content: string }

const [, ORIGIN_FILE] = ORIGIN_FILES

const folderDraftOf = (folder: string, origin: z.infer<typeof OriginFile>): FolderDraft => ({
  ...origin,
  folder,
  content: join(folder, 'enviado'),
})

/** @throws PowerBiError 429 with too many drafts of all people */
export const createFolderDraft = async (
  dataDir: string,
  { name, ...person }: NewDraft & { name: string },
): Promise<{ draft: FolderDraft; discarded: string[] }> => {
  const id = randomUUID()
  const { folder, discarded } = await newDraftFolder(dataDir, id, person)
  const { owner } = person
  const draft = folderDraftOf(folder, { id, name, owner })
  await mkdir(draft.content, { mode: 0o700 })
  await writeFile(join(folder, ORIGIN_FILE), JSON.stringify({ id, name, owner }), { mode: 0o600 })
  return { draft, discarded }
}

/** @throws PowerBiError 404 when the owner has no such draft, or no longer */
export const findFolderDraft = async (dataDir: string, id: string, owner: string): Promise<FolderDraft> => {
  const folder = draftFolder(dataDir, id)
  const text = await readFile(join(folder, ORIGIN_FILE), 'utf8').catch(() => undefined)
  const origin = text === undefined ? undefined : OriginFile.parse(JSON.parse(text))
  if (origin?.owner !== owner) throw new PowerBiError(404, 'DraftNotFound', 'The draft was not found')
  return folderDraftOf(folder, origin)
}

/**
 * Stores a file of the folder, at a path such as `vendas/dataset.json`.
 * @throws PowerBiError 415 for a path that leads elsewhere or exists, 413 above the limits
 */
export const addFile = async (draft: FolderDraft, path: string, bytes: Readable): Promise<void> => {
  const steps = stepsOf(path)
  const target = join(draft.content, ...steps)
  try {
    await mkdir(dirname(target), { recursive: true, mode: 0o700 })
    const limited = limitedTo(DRAFT_BYTES, TOO_LARGE)
    await pipeline(bytes, limited, createWriteStream(target, { mode: 0o600, flags: 'wx' }))
  } catch (error) {
    if (['EEXIST', 'EISDIR', 'ENOTDIR'].some((code) => hasCode(error, code))) throw unsupported(path)
    await rm(target, { force: true })
    throw error
  }
  // After the file is there: files may arrive at the same time.
  const sizes = await Promise.all((await filesIn(draft.content)).map(sizeOf))
  if (sizes.length > MAX_FILES || sizes.reduce((sum, size) => sum + size, 0) > DRAFT_BYTES) {
    await rm(target, { force: true })
    throw new PowerBiError(413, 'RequestTooLarge', TOO_LARGE)
  }
  // A day from the last file on.
  const now = new Date()
  await utimes(draft.folder, now, now)
}

/** Returns the folders and the file of a path. @throws PowerBiError 415 */
const stepsOf = (path: string): string[] => {
  const steps = path.split('/')
  if (steps.some((step) => step === '' || step === '.' || step === '..'))
    throw new PowerBiError(415, 'PathOutsideFolder', `The path leads elsewhere: ${path.slice(0, 200)}`)
  const isPlain = (step: string) =>
    step.trim() === step && step.length > 0 && step.length <= 120 && !nameFault(step) && !/\p{Cc}/u.test(step)
  if (steps.length > MAX_LEVELS || !steps.every(isPlain) || !isFileOfDefinitions(path))
    throw unsupported(path)
  return steps
}

const TOO_LARGE = `A folder has at most ${MAX_FILES} files and ${DRAFT_BYTES} bytes`

/** The portal names the rule; a path may come from a stranger's zip. */
const unsupported = (path: string) =>
  new PowerBiError(
    415,
    'UnsupportedPath',
    `The folder cannot have, or has already, a file ${path.slice(0, 200)}`,
  )

/** Another call may have removed its file. */
const sizeOf = async (file: string): Promise<number> => (await stat(file).catch(unlessMissing))?.size ?? 0

const filesIn = async (folder: string): Promise<string[]> => {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map(({ parentPath, name }) => join(parentPath, name))
}

type FolderValidation = Pick<CheckResult, 'faults' | 'remarks' | 'concerned'> & {
  reports: {
    id: string
    name: string
    workspaceId: string
    workspaceName: string
    dataset: string
    /** Undefined when the dataset is not in the folder. */
    roles: string[] | undefined
  }[]
}

/** Checks the folder as if it were published, or publishes it when it has no faults. */
export const validateFolder = async (
  settings: Settings,
  draft: FolderDraft,
  author: string,
  act: 'check' | 'publish',
): Promise<FolderValidation> => {
  const root = await rootOf(draft.content)
  const { faults, remarks, closed, concerned } = await { check, publish }[act](settings, root, {
    author,
    origin: 'portal',
  })
  const lost = closed.map(
    ({ name, path }) => `Só abre com papéis de segurança, a partir desta publicação: "${name}" (${path}).`,
  )
  const known = (sentence: string) => asAuthorKnows(draft, sentence)
  return {
    faults: faults.map(known),
    remarks: [...remarks.map(known), ...lost],
    concerned,
    reports: await reportsIn(root),
  }
}

/** Replaces temporary paths by those of the sent folder. */
export const asAuthorKnows = ({ content, name }: FolderDraft, sentence: string): string =>
  sentence.replaceAll(`${content}/`, '').replaceAll(content, name)

/** Returns the folder that contains the units: a zip often has one more folder around all. */
export const rootOf = async (folder: string): Promise<string> => {
  if ((await findUnits(folder)).length > 0) return folder
  const entries = await readdir(folder, { withFileTypes: true })
  const [only] = entries
  return entries.length === 1 && only?.isDirectory() ? rootOf(join(folder, only.name)) : folder
}

const reportsIn = async (root: string): Promise<FolderValidation['reports']> => {
  const units = await Promise.all((await findUnits(root)).map(({ folder }) => readUnit(folder)))
  const roles = new Map(
    units.flatMap(({ dataset }) =>
      dataset ? [[dataset.definition.id.toLowerCase(), neededRoles(dataset.definition)]] : [],
    ),
  )
  return units.flatMap(({ workspace }) =>
    (workspace?.reports ?? []).map(({ definition: { id, name, dataset } }) => ({
      id,
      name,
      dataset,
      roles: roles.get(dataset.toLowerCase()),
      workspaceId: workspace?.definition.id ?? '',
      workspaceName: workspace?.definition.name ?? '',
    })),
  )
}

/** Returns the roles of which a reader needs one; none when the dataset opens without an identity. */
export const neededRoles = ({ requiresIdentity, roles }: DatasetDefinition): string[] =>
  requiresIdentity ? roles.map(({ name }) => name) : []
