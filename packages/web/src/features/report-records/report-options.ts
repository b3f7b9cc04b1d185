import type { ExternalReport } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/search-text.ts'
import { OPTIONS_AT_MOST, type SelectOption } from '../../ui/search-select/select-options.ts'

/** What the field 'Report' offers: the group's reports that match by name or id, those registered marked. */
export const reportOptions = (text: string, reports: ExternalReport[]): SelectOption<string>[] =>
  reports
    .filter(({ nome, reportId }) => matchesSearch(`${nome} ${reportId}`, text))
    .slice(0, OPTIONS_AT_MOST)
    .map(({ nome, reportId, jaCadastrado }) => ({
      value: reportId,
      label: nome,
      description: reportId,
      mark: jaCadastrado ? 'já cadastrado' : undefined,
    }))

/** A record knows its report's id alone; the name is known once the connection answered. */
export const namedReport = (
  option: SelectOption<string>,
  reports: ExternalReport[] | undefined,
): SelectOption<string> => {
  const report = reports && findReport(option.value, reports)
  return report ? { ...option, label: report.nome } : option
}

export const isInGroup = ({ value }: SelectOption<string>, reports: ExternalReport[]): boolean =>
  findReport(value, reports) !== undefined

/** The name that a chosen report offers for an empty 'Nome Relatório'; an id typed by hand offers none. */
export const nameOffered = (option: SelectOption<string> | null): string | undefined =>
  option && option.label !== option.value ? option.label : undefined

// Ids of the provider compare without regard to case.
const findReport = (id: string, reports: ExternalReport[]): ExternalReport | undefined =>
  reports.find(({ reportId }) => reportId.toLowerCase() === id.toLowerCase())
