import {
  filtroText,
  type PanelChoice,
  panelFiltersOf,
  parseFiltro,
  type ReportExport,
  type ReportFilter,
} from '@bi-manager/contract'
import type { EffectiveIdentity } from '../../bi/power-bi-api.ts'
import { Problem } from '../../lib/problem.ts'

/**
 * Returns the report's own filter and the panel's choice as one expression; undefined without
 * either. Power BI accepts one filter per column: the panel's replaces the report's own where it
 * selects a part of it.
 * @throws Problem `exportacao_vazia` when the panel asks for rows outside the report's own filter
 */
export const exportFilter = (filtro: string | null, choice: PanelChoice): string | undefined => {
  const chosen = panelFiltersOf(choice).map(({ filter }) => filter)
  const own = filtro ? parseFiltro(filtro) : []
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
  return filtroText([...kept, ...narrower]) || undefined
}

/**
 * Returns what determines the rows of a file; a file whose scope has changed since is not
 * delivered.
 */
export const exportScope = (
  report: { groupId: string; reportId: string; idPowerBi: number; versao: number; filtro: string | null },
  identity: EffectiveIdentity | undefined,
): string => {
  const { groupId, reportId, idPowerBi, versao, filtro } = report
  return JSON.stringify([groupId, reportId, idPowerBi, versao, filtro, identity ?? null])
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

export const progressOf = (
  idExportacao: string,
  { status, percentComplete, error }: ProviderJob,
): ReportExport => ({
  idExportacao,
  estado: states[status],
  percentual: status === 'Succeeded' ? 100 : Math.floor(percentComplete),
  motivo: status === 'Failed' ? failureSentence(error?.code) : null,
})

const failureSentence = (code: string | undefined): string => {
  if (code === 'ExportTimedOut')
    return 'O relatório demorou demais para ser desenhado. Exporte uma página de cada vez.'
  if (code === 'ExportFileTooLarge') return 'O arquivo passou de 250 MB. Exporte uma página de cada vez.'
  return `O serviço de BI não conseguiu gerar o arquivo${code ? ` (${code})` : ''}. Peça-o de novo.`
}

const kinds = {
  PDF: { type: 'application/pdf', extension: 'pdf', begins: Buffer.from('%PDF-') },
  PNG: { type: 'image/png', extension: 'png', begins: Buffer.from([0x89, 0x50, 0x4e, 0x47]) },
}

/** Returns whether the bytes start like a file of the format; a proxy's error page does not. */
export const isOfFormat = (bytes: Buffer, formato: keyof typeof kinds): boolean =>
  bytes.subarray(0, kinds[formato].begins.length).equals(kinds[formato].begins)

/** Returns headers for a download that the browser does not open in the portal's origin. */
export const fileHeaders = (nomeRelatorio: string, formato: keyof typeof kinds): Record<string, string> => {
  const { type, extension } = kinds[formato]
  // encodeURIComponent keeps these, but RFC 5987 does not allow them.
  const encoded = encodeURIComponent(`${nomeRelatorio.toWellFormed()}.${extension}`).replace(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  )
  return {
    'content-type': type,
    'content-disposition': `attachment; filename="relatorio.${extension}"; filename*=UTF-8''${encoded}`,
    'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
  }
}
