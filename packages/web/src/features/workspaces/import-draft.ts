import type { ExternalReport } from '@bi-manager/contract'

/** What the person made of one report of the group. */
export interface ImportLine {
  isTicked: boolean
  nomeRelatorio: string
  /** Empty: the one for all. */
  operadoraRelatorio: string
}

export type ImportLines = Record<string, ImportLine>

/** Of one request, by the contract. */
export const IMPORT_AT_MOST = 500

export const lineOf = (lines: ImportLines, { reportId, nome }: ExternalReport): ImportLine =>
  lines[reportId] ?? { isTicked: false, nomeRelatorio: nome, operadoraRelatorio: '' }

export const isOpen = ({ jaCadastrado }: ExternalReport): boolean => !jaCadastrado

export const tickedOf = (reports: ExternalReport[], lines: ImportLines): ExternalReport[] =>
  reports.filter((report) => isOpen(report) && lineOf(lines, report).isTicked)

/** Ticks or unticks those shown, at most as many as one request takes. */
export const withAllTicked = (
  lines: ImportLines,
  shown: ExternalReport[],
  isTicked: boolean,
  room = IMPORT_AT_MOST,
): ImportLines => {
  const next = { ...lines }
  for (const report of shown.filter(isOpen).slice(0, isTicked ? room : undefined))
    next[report.reportId] = { ...lineOf(lines, report), isTicked }
  return next
}

/** What is sent for the ticked reports. */
export const importOf = (ticked: ExternalReport[], lines: ImportLines, operadora: string) =>
  ticked.map((report) => {
    const { nomeRelatorio, operadoraRelatorio } = lineOf(lines, report)
    return {
      reportId: report.reportId,
      nomeRelatorio: nomeRelatorio.trim(),
      operadoraRelatorio: operadoraRelatorio.trim() || operadora.trim(),
    }
  })
