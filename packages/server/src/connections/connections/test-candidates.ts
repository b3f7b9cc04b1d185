import type { ConnectionTest } from '@bi-manager/contract'
import type { Connection } from '../power-bi/connection.ts'
import type { IdentityRules } from '../power-bi/effective-identity.ts'
import { embedDenialReason } from '../power-bi/embed-denial-reason.ts'
import { isPaginatedReport, type PowerBiApi } from '../power-bi/power-bi-api.ts'
import { isFinal, sentenceOf } from './test-end.ts'

/** A report to test. Ids are the provider's. */
export interface Candidate {
  name: string
  groupId: string
  groupName: string
  reportId: string
  /** Undefined for an unregistered report. */
  rules?: IdentityRules | undefined
  /** Undefined for an unregistered report. */
  datasetsAdicionais?: string[] | undefined
  /** Known for an unregistered report, from the list. */
  datasetId?: string | undefined
  isPaginated?: boolean | undefined
}

export type Warnings = ConnectionTest['avisos']

interface Search {
  api: PowerBiApi
  connection: Connection
  groups: { id: string; name: string }[]
  /** The address of the pages that the portal may embed. */
  embed: string
  warnings: Warnings
}

/** Limits of the search: each group costs a call. */
const groupsRead = 5
const groupsTried = 20

/**
 * Yields unregistered reports that can be embedded, one per dataset, and requests them lazily; one
 * paginated report if there is no other.
 * Groups that cannot be read and reports that cannot be embedded become warnings.
 * @throws Problem of the first group when none can be read
 */
export async function* unregisteredReports(search: Search): AsyncGenerator<Candidate> {
  const { api, connection, groups, embed, warnings } = search
  const datasets = new Set<string>()
  let read = 0
  let refused: unknown
  let paginated: Candidate | undefined
  for (const { id: groupId, name: groupName } of groups.slice(0, groupsTried)) {
    if (read === groupsRead) break
    const reports = await api.listReports(connection, groupId).catch((error: unknown) => {
      refused ??= error
      if (isFinal(error)) throw refused
      warnings.push({ grupo: groupName, relatorio: null, motivo: sentenceOf(error, connection) })
      return undefined
    })
    if (!reports) continue
    read += 1
    for (const report of reports) {
      const motivo = embedDenialReason(report, connection, embed)
      if (motivo !== null) warnings.push({ grupo: groupName, relatorio: report.name, motivo })
      const { id: reportId, name, datasetId } = report
      if (motivo !== null) continue
      if (isPaginatedReport(report)) paginated ??= { name, groupId, groupName, reportId, isPaginated: true }
      else if (datasetId && !datasets.has(datasetId)) {
        datasets.add(datasetId)
        yield { name, groupId, groupName, reportId, datasetId }
      }
    }
  }
  if (read === 0 && refused) throw refused
  if (paginated && datasets.size === 0) yield paginated
}
