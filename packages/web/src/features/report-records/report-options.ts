import type { ExternalReport } from '@bi-manager/contract'
import { matchesSearch } from '../../lib/text/search-text.ts'
import { OPTIONS_AT_MOST, type SelectOption } from '../../ui/search-select/select-options.ts'

/** Returns the reports that match by name or id as options, with registered ones marked. */
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

/** Labels an option with the report's name at the provider, once that is known. */
export const namedReport = (
  option: SelectOption<string>,
  reports: ExternalReport[] | undefined,
): SelectOption<string> => {
  const report = reports && findReport(option.value, reports)
  return report ? { ...option, label: report.nome } : option
}

export const isInGroup = ({ value }: SelectOption<string>, reports: ExternalReport[]): boolean =>
  findReport(value, reports) !== undefined

/** Returns the name that prefills an empty 'Nome Relatório'; undefined for a typed id. */
export const nameOffered = (option: SelectOption<string> | null): string | undefined =>
  option && option.label !== option.value ? option.label : undefined

// Provider ids are case-insensitive.
const findReport = (id: string, reports: ExternalReport[]): ExternalReport | undefined =>
  reports.find(({ reportId }) => reportId.toLowerCase() === id.toLowerCase())
