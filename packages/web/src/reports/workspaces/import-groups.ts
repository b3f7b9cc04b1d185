import {
  ApiProblem,
  type Call,
  type ExternalGroup,
  type ExternalReport,
  fittingLine,
  MAX_WORKSPACE_NAME,
  type Report,
  reportRegistrationsApi,
  workspacesApi,
} from '@bi-manager/contract'
import { messageOf } from '../../lib/api/api.ts'
import { type ImportLines, importOf, tickedOf } from './import-draft.ts'

/** A group at the provider whose reports were read. */
export interface ReadGroup {
  group: ExternalGroup
  reports: ExternalReport[]
}

/** What became of a group: its reports were registered, or the reason why not. */
export interface ImportedGroup {
  /** The group with the id of its workspace, which is registered even if its reports failed. */
  group: ExternalGroup
  reports: Report[]
  failure: string | undefined
}

interface Target {
  idPowerBi: number
  /** Groups and reports as they were read. */
  groups: ReadGroup[]
  lines: ImportLines
  operadora: string
}

/**
 * Registers the ticked reports of each group, and the workspace when it is new. A group that fails
 * does not stop the others.
 */
export const importGroups = async (
  call: Call,
  { idPowerBi, groups, lines, operadora }: Target,
): Promise<ImportedGroup[]> => {
  const imported: ImportedGroup[] = []
  for (const { group, reports } of groups) {
    const relatorios = importOf(tickedOf(reports, lines), lines, operadora)
    if (relatorios.length === 0) continue
    let id = group.idGrupoRelatorio
    let registered: Report[] = []
    let failure: string | undefined
    try {
      id ??= await createWorkspace(call, group, idPowerBi)
      registered = await call(reportRegistrationsApi.import, { params: { id }, body: { relatorios } })
    } catch (error) {
      failure = reasonOf(error)
    }
    imported.push({ group: { ...group, idGrupoRelatorio: id }, reports: registered, failure })
  }
  return imported
}

/** Returns the lines that are still to be imported, for a second attempt. */
export const withoutImported = (lines: ImportLines, imported: ImportedGroup[]): ImportLines => {
  const done = new Set(imported.flatMap(({ reports }) => reports.map(({ reportId }) => reportId)))
  return Object.fromEntries(Object.entries(lines).filter(([reportId]) => !done.has(reportId)))
}

const createWorkspace = async (
  call: Call,
  { idGrupo, nomeGrupo }: ExternalGroup,
  idPowerBi: number,
): Promise<number> => {
  const body = { idGrupo, nomeGrupo: fittingLine(nomeGrupo, MAX_WORKSPACE_NAME), idPowerBi }
  return (await call(workspacesApi.create, { body })).idGrupoRelatorio
}

/** The sentences of the fields say more than the one of the whole. */
const reasonOf = (error: unknown): string => {
  const fields = error instanceof ApiProblem ? Object.values(error.campos) : []
  return fields.length > 0 ? [...new Set(fields)].join(' ') : messageOf(error)
}
