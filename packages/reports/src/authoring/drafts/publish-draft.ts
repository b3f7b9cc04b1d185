import { existsSync, readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { isRecord } from '../../definitions/is-record.ts'
import { readJson } from '../../definitions/json-text.ts'
import { readDefinitions, unreadable } from '../../definitions/read-definitions.ts'
import { type CheckResult, check, publish, type Settings } from '../publish/publish.ts'
import type { Draft } from './files/draft-files.ts'
import { type Publication, tableOf, workspaceIdOf, writeDraftFolder } from './files/draft-folder.ts'

/** `faults` prevent the publication, `remarks` do not. */
type PublishedDraft = Pick<CheckResult, 'faults' | 'remarks' | 'concerned'> & {
  workspaceId: string
  reportId: string
}

/**
 * Checks or publishes a draft, which is a sent data file, with the report definition of the
 * publication: both are written to a temporary folder, which is then checked or published like an
 * author's folder. Publishes only without faults.
 */
export const checkOrPublishDraft = async (
  settings: Settings,
  draft: Draft,
  publication: Publication,
  act: 'check' | 'publish',
): Promise<PublishedDraft> => {
  let ids = { workspaceId: workspaceIdOf(draft, publication), reportId: draft.reportId }
  const refusal = whyUnusable(draft, publication)
  if (refusal.length)
    return { ...ids, faults: refusal, remarks: [], concerned: { reports: [], datasets: [] } }
  const folder = join(draft.folder, 'publicacao')
  const { name: given } = definitionIn(publication.report)
  const name = typeof given === 'string' ? given : draft.name
  try {
    let written: Awaited<ReturnType<typeof writeDraftFolder>> | undefined
    const write = async () => {
      const target = await reuseWorkspaceOfSameName(settings.dataDir, publication)
      ids = { ...ids, workspaceId: workspaceIdOf(draft, target) }
      written = await writeDraftFolder(draft, folder, target, name)
      return true
    }
    const publisher = { author: publication.author, origin: 'portal' as const }
    if (act === 'check') await write()
    // Under the lock: another publication may be creating a workspace of the same name.
    const own = {
      ...settings,
      mayChange: new Set([draft.reportId, draft.datasetId].map((id) => id.toLowerCase())),
    }
    const { faults, remarks, concerned } =
      act === 'check' ? await check(own, folder) : await publish(own, folder, publisher, write)
    const { reportFile = folder, dataFolder = folder } = written ?? {}
    /** Replaces temporary paths by names that the author knows. */
    const asAuthorKnows = (sentence: string) =>
      sentence.replaceAll(reportFile, 'Relatório').replaceAll(dataFolder, draft.name)
    return { ...ids, faults: faults.map(asAuthorKnows), remarks: remarks.map(asAuthorKnows), concerned }
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/**
 * Returns the publication with the existing workspace of the same name, if there is one: two
 * workspaces of one name would look the same.
 */
const reuseWorkspaceOfSameName = async (dataDir: string, publication: Publication): Promise<Publication> => {
  if (publication.workspace.id) return publication
  const { workspaces } = await readDefinitions(dataDir, () => {})
  const plain = (name: string) => name.trim().normalize('NFC').toLocaleLowerCase('pt-BR')
  const taken = workspaces.find(
    ({ definition }) => plain(definition.name) === plain(publication.workspace.name),
  )
  return taken ? { ...publication, workspace: taken.definition } : publication
}

/** Returns the fields of the definition, read as the loader reads them. @throws as `readJson` */
const definitionIn = (text: string): Record<string, unknown> => {
  const { value } = readJson(text)
  return isRecord(value) ? value : {}
}

/** Returns the faults for which a draft can be neither checked, published nor previewed. */
export const whyUnusable = (draft: Draft, { report, others }: Publication): string[] => {
  const changed = changedIds(draft, report)
  if (changed.length) return changed
  const all = [draft, ...others]
  const unreadFaults = all
    .filter(({ data }) => !existsSync(data))
    .map(({ name, doubt }) =>
      existsSync(doubt) ? readFileSync(doubt, 'utf8') : `${name}: ainda não foi lido.`,
    )
  const tables = all.map((one) => tableOf(one).toLowerCase())
  const repeated = all.filter((_, index) => tables.indexOf(tables[index] ?? '') !== index)
  return [
    ...unreadFaults,
    ...repeated.map(
      (one) => `${one.name}: outro arquivo já é a tabela ${tableOf(one)}. Mude o nome de um dos dois.`,
    ),
  ]
}

/** Returns faults for other ids than the draft's, which would replace another report or dataset. */
const changedIds = ({ reportId, datasetId }: Draft, report: string): string[] => {
  const expected = { id: reportId, dataset: datasetId }
  try {
    const definition = definitionIn(report)
    return Object.entries(expected).flatMap(([field, value]) =>
      String(definition[field]).toLowerCase() === value.toLowerCase()
        ? []
        : [`Relatório: ${field}: deixe ${value}, que é deste arquivo.`],
    )
  } catch (error) {
    return [`Relatório: ${unreadable(error)}`]
  }
}
