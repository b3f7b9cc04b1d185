import {
  type ExportFormat,
  type PanelFilter,
  parameterOf,
  parseReportFilters,
  type ReportExport,
  type ReportFilter,
  reportFiltersText,
} from '@bi-manager/contract'
import type { EffectiveIdentity } from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'

/**
 * Returns the report's own filter and the panel's choice as one expression; undefined without
 * either. Power BI accepts one filter per column: the panel's replaces the report's own where it
 * selects a part of it.
 * @throws Problem `exportacao_vazia` when the panel asks for rows outside the report's own filter
 */
export const exportFilter = (filtro: string | null, panel: PanelFilter[]): string | undefined => {
  const chosen = panel.map(({ filter }) => filter)
  const own = filtro ? parseReportFilters(filtro) : []
  const narrower = chosen.filter((filter) => {
    const same = own.find((other) => isSameColumn(other, filter))
    if (!same) return true
    if (same.operator !== 'In' && same.operator !== 'NotIn') return false
    const isListed = (value: string | number | boolean) => same.values?.includes(value) === true
    if (filter.values?.some((value) => isListed(value) !== (same.operator === 'In')))
      throw new Problem('exportacao_vazia')
    return true
  })
  const kept = own.filter((filter) => !narrower.some((other) => isSameColumn(other, filter)))
  return reportFiltersText([...kept, ...narrower]) || undefined
}

interface Parameters {
  parametros: string[]
  painelParametros: boolean
}

/**
 * Returns the parameters of a paginated report's file: the registered ones, with the values that the
 * reader chose. Power BI does not tell the portal what was chosen in the report itself.
 * @throws Problem `campos_invalidos` when the reader may not choose, or names another parameter
 */
export const exportParameters = (
  { parametros, painelParametros }: Parameters,
  chosen: string[],
): { name: string; value: string }[] => {
  const registered = parametros.map(parameterOf)
  const others = chosen.map(parameterOf)
  const isKnown = ({ nome }: { nome: string }) => registered.some((own) => own.nome === nome)
  if (chosen.length > 0 && !(painelParametros && others.every(isKnown))) {
    const fault = 'Os parâmetros deste relatório mudaram. Atualize a página e exporte de novo.'
    throw new Problem('campos_invalidos', { campos: { parametros: fault } })
  }
  const kept = registered.filter(({ nome }) => !others.some((other) => other.nome === nome))
  return [...kept, ...others].map(({ nome, valor }) => ({ name: nome, value: valor }))
}

/**
 * Returns what determines the rows of a file; a file whose scope has changed since is not
 * delivered.
 */
export const exportScope = (
  report: {
    groupId: string
    reportId: string
    idPowerBi: number
    versao: number
    filtro: string | null
  } & Parameters,
  identity: EffectiveIdentity | undefined,
): string => {
  const { groupId, reportId, idPowerBi, versao, filtro, parametros, painelParametros } = report
  // Without parameters as in version 0.2: an export may be fetched from a node of the next version.
  const parameters = parametros.length > 0 ? [parametros, painelParametros] : []
  return JSON.stringify([groupId, reportId, idPowerBi, versao, filtro, identity ?? null, ...parameters])
}

const isSameColumn = ({ target: a }: ReportFilter, { target: b }: ReportFilter): boolean =>
  a.table === b.table && a.column === b.column

const states = {
  Undefined: 'GERANDO',
  NotStarted: 'NA_FILA',
  Running: 'GERANDO',
  Succeeded: 'PRONTA',
  Failed: 'FALHOU',
} as const satisfies Record<string, ReportExport['estado']>

interface ProviderJob {
  status: keyof typeof states
  percentComplete: number
  error?: { code: string } | undefined
}

interface JobContext {
  isPaginated?: boolean
  /** Seconds until the provider wants to be asked again. */
  retryAfter?: number | undefined
}

export const progressOf = (
  idExportacao: string,
  { status, percentComplete, error }: ProviderJob,
  { isPaginated = false, retryAfter }: JobContext = {},
): ReportExport => ({
  idExportacao,
  estado: states[status],
  percentual: status === 'Succeeded' ? 100 : Math.floor(percentComplete),
  esperaSegundos: retryAfter ?? null,
  motivo: status === 'Failed' ? failureSentence(error?.code, isPaginated) : null,
})

const failureSentence = (code: string | undefined, isPaginated: boolean): string => {
  const less = isPaginated ? 'Escolha parâmetros que tragam menos linhas.' : 'Exporte uma página de cada vez.'
  if (code === 'ExportTimedOut') return `O relatório demorou demais para ser desenhado. ${less}`
  if (code === 'ExportFileTooLarge') return `O arquivo passou de 250 MB. ${less}`
  return `O serviço de BI não conseguiu gerar o arquivo${code ? ` (${code})` : ''}. Peça-o de novo.`
}

const office = 'application/vnd.openxmlformats-officedocument'
/** Files of Office are ZIP archives. */
const zip = Buffer.from('PK\u0003\u0004')

const kinds: Record<ExportFormat, { type: string; begins?: Buffer }> = {
  PDF: { type: 'application/pdf', begins: Buffer.from('%PDF-') },
  PNG: { type: 'image/png', begins: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
  XLSX: { type: `${office}.spreadsheetml.sheet`, begins: zip },
  DOCX: { type: `${office}.wordprocessingml.document`, begins: zip },
  PPTX: { type: `${office}.presentationml.presentation`, begins: zip },
  CSV: { type: 'text/csv; charset=utf-8' },
}

export const contentTypeOf = (formato: ExportFormat): string => kinds[formato].type

/** Bytes at the beginning of a file that `isOfFormat` looks at. */
export const BEGINNING = 16

/** Returns whether the bytes start like a file of the format; a proxy's error page does not. */
export const isOfFormat = (beginning: Buffer, formato: ExportFormat): boolean => {
  const { begins } = kinds[formato]
  return begins
    ? beginning.subarray(0, begins.length).equals(begins)
    : !/^\s*(<!doctype|<html|[{])/i.test(beginning.toString('utf8'))
}

/** Returns headers for a download that the browser does not open in the portal's origin. */
export const fileHeaders = (nomeRelatorio: string, formato: ExportFormat): Record<string, string> => {
  const extension = formato.toLowerCase()
  // encodeURIComponent keeps these, but RFC 5987 does not allow them.
  const encoded = encodeURIComponent(`${nomeRelatorio.toWellFormed()}.${extension}`).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': contentTypeOf(formato),
    'content-disposition': `attachment; filename="relatorio.${extension}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}
