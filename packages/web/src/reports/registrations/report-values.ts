import { ALL_OPERADORAS, type Report, type ReportDraft, type ReportType } from '@bi-manager/contract'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import { declaredPanelOf, typedPanelOf } from './panel-filters/panel-values.ts'

export const valuesOf = (report: Report | undefined) => ({
  reportId: report ? { value: report.reportId, label: report.reportId } : null,
  nomeRelatorio: report?.nomeRelatorio ?? '',
  operadoraRelatorio: report?.operadoraRelatorio || ALL_OPERADORAS,
  filtro: report?.filtro ?? '',
  idGrupoRelatorio: report ? { value: report.idGrupoRelatorio, label: report.nomeGrupo } : null,
  papeisRls: report?.papeisRls ?? [],
  enviaIdentidade: report?.enviaIdentidade ?? false,
  usuarioIdentidade: report?.usuarioIdentidade ?? '',
  datasetsAdicionais: report?.datasetsAdicionais ?? [],
  parametros: report?.parametros ?? [],
  painelParametros: report?.painelParametros ?? true,
  filtrosPainel: typedPanelOf(report?.filtrosPainel ?? null),
  sensivel: report?.sensivel ?? false,
  comentarios: report?.comentarios ?? true,
})

export type ReportValues = ReturnType<typeof valuesOf>

/** Whether the report is opened with an identity, whose user 'Usuário enviado' replaces. */
export const sendsIdentity = ({ enviaIdentidade, papeisRls }: ReportValues): boolean =>
  enviaIdentidade || papeisRls.length > 0

/** Returns the request body; the form is sent only when all required fields are filled. */
export const draftOf = (values: ReportValues, tipoRelatorio: ReportType): WholeBody<ReportDraft> => ({
  ...values,
  ...(tipoRelatorio === 'PAGINADO' ? { filtro: null } : { parametros: [] }),
  filtrosPainel: tipoRelatorio === 'PAGINADO' ? null : declaredPanelOf(values.filtrosPainel),
  tipoRelatorio,
  reportId: values.reportId?.value ?? '',
  idGrupoRelatorio: values.idGrupoRelatorio?.value ?? 0,
  // The form hides the field of a report without an identity.
  usuarioIdentidade: sendsIdentity(values) ? values.usuarioIdentidade : '',
})
