import {
  ALL_OPERADORAS,
  ApiProblem,
  type ExternalReport,
  fittingLine,
  MAX_REPORT_NAME,
  MISSING,
} from '@bi-manager/contract'

/** The user's input for one report of the group. */
export interface ImportLine {
  isTicked: boolean
  nomeRelatorio: string
  /** Empty: uses 'Operadora para todos', if there is one. */
  operadoraRelatorio: string
}

export type ImportLines = Record<string, ImportLine>

/** Maximum number of reports in a request, from the contract. */
const MAX_IMPORTED = 500

export const lineOf = (lines: ImportLines, { reportId, nome }: ExternalReport): ImportLine =>
  lines[reportId] ?? {
    isTicked: false,
    nomeRelatorio: fittingLine(nome, MAX_REPORT_NAME),
    operadoraRelatorio: '',
  }

/** Returns whether the report can be imported. */
export const isOpen = ({ jaCadastrado, impedimento }: ExternalReport): boolean =>
  !jaCadastrado && !impedimento

/** Returns whether the report's name is longer than the portal accepts. */
export const hasLongName = ({ nome }: ExternalReport): boolean => nome.length > MAX_REPORT_NAME

export const tickedOf = (reports: ExternalReport[], lines: ImportLines): ExternalReport[] =>
  reports.filter((report) => isOpen(report) && lineOf(lines, report).isTicked)

/** Ticks or unticks the shown reports, at most as many as a request may contain. */
export const withAllTicked = (
  lines: ImportLines,
  shown: ExternalReport[],
  isTicked: boolean,
  room = MAX_IMPORTED,
): ImportLines => {
  const next = { ...lines }
  for (const report of shown.filter(isOpen).slice(0, isTicked ? room : undefined))
    next[report.reportId] = { ...lineOf(lines, report), isTicked }
  return next
}

/** Returns the request body for the ticked reports. */
export const importOf = (ticked: ExternalReport[], lines: ImportLines, operadora: string) =>
  ticked.map((report) => {
    const { nomeRelatorio, operadoraRelatorio } = lineOf(lines, report)
    return {
      reportId: report.reportId,
      nomeRelatorio: nomeRelatorio.trim(),
      operadoraRelatorio: operadoraRelatorio.trim() || operadora.trim() || ALL_OPERADORAS,
      ...(report.tipo === 'PAGINADO' ? { tipoRelatorio: report.tipo } : {}),
    }
  })

/**
 * Returns the errors by report: fields missing in the draft, and the server's errors. The server
 * names a field `relatorios.3.nomeRelatorio`, where 3 is the index in `sent`, the reports of the
 * last request; the draft may have changed since.
 */
export const faultsOf = (draft: ReturnType<typeof importOf>, sent: string[], error: unknown) => {
  const campos = error instanceof ApiProblem ? error.campos : {}
  return Object.fromEntries(
    draft.map(({ reportId, nomeRelatorio }) => {
      const faultOf = (field: string) => campos[`relatorios.${sent.indexOf(reportId)}.${field}`]
      return [
        reportId,
        {
          reportId: faultOf('reportId'),
          nomeRelatorio: nomeRelatorio ? faultOf('nomeRelatorio') : MISSING,
          operadoraRelatorio: faultOf('operadoraRelatorio'),
        },
      ]
    }),
  )
}
