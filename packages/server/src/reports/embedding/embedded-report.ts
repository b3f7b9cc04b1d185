import { type EmbeddedReport, parameterOf, parseReportFilters } from '@bi-manager/contract'
import { type EmbedIssuer, panelOf } from '../../connections/index.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { findViewableReports } from './embedding.repository.ts'

export type Viewable = NonNullable<Awaited<ReturnType<typeof findViewableReports>>[number]>

/**
 * Returns what the viewer needs to open a report.
 * @throws Problem `paginado_com_filtro`: Power BI applies no filter to a paginated report, which
 * would show what the filter leaves out
 */
export const embeddedReportOf = (
  report: Viewable,
  issued: Awaited<ReturnType<EmbedIssuer['issue']>>,
): EmbeddedReport => {
  const { isPaginated, panel } = issued
  if (isPaginated && report.filtro) throw new Problem('paginado_com_filtro')
  return {
    embedToken: issued.token,
    embedUrl: issued.embedUrl,
    reportId: report.reportId,
    pageName: null,
    expiration: issued.expiration.toISOString(),
    idRelatorio: report.idRelatorio,
    nomeRelatorio: report.nomeRelatorio,
    nomeGrupo: report.nomeGrupo,
    operadoraRelatorio: report.operadoraRelatorio,
    filtros: report.filtro ? parseReportFilters(report.filtro) : [],
    filtrosPainel: isPaginated ? [] : panelOf(report, panel),
    tipoRelatorio: isPaginated ? 'PAGINADO' : 'INTERATIVO',
    parametros: isPaginated ? report.parametros.map(parameterOf) : [],
    painelParametros: report.painelParametros,
    comentarios: report.temComentarios,
  }
}
