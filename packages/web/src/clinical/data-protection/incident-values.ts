import type { Incident, IncidentDraft } from '@bi-manager/contract'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import { instantOfTyped, typedOf } from '../../ui/instant-field/instant-text.ts'

/**
 * Returns the form's values, with instants in the format of instant-text.ts. A new incident
 * requires notification by default, the safe choice.
 */
export const valuesOf = (incident: Incident | undefined) => ({
  titulo: incident?.titulo ?? '',
  conhecido_em: typedOf(incident?.conhecido_em),
  ocorrido_em: typedOf(incident?.ocorrido_em),
  descricao: incident?.descricao ?? '',
  dados_afetados: incident?.dados_afetados ?? '',
  titulares_afetados: incident?.titulares_afetados?.toString() ?? '',
  gravidade: incident?.gravidade ?? 'medio',
  exige_comunicacao: incident?.exige_comunicacao ?? true,
  medidas: incident?.medidas ?? '',
  comunicado_anpd_em: typedOf(incident?.comunicado_anpd_em),
  comunicado_titulares_em: typedOf(incident?.comunicado_titulares_em),
  motivo_sem_comunicacao: incident?.motivo_sem_comunicacao ?? '',
  encerrado_em: typedOf(incident?.encerrado_em),
})

export type IncidentValues = ReturnType<typeof valuesOf>

/** Returns the request body. Invalid input is passed on, so that the server reports the error. */
export const draftOf = (values: IncidentValues): WholeBody<IncidentDraft> => ({
  ...values,
  conhecido_em: instantOfTyped(values.conhecido_em) ?? '',
  ocorrido_em: instantOfTyped(values.ocorrido_em),
  titulares_afetados: countOf(values.titulares_afetados),
  comunicado_anpd_em: instantOfTyped(values.comunicado_anpd_em),
  comunicado_titulares_em: instantOfTyped(values.comunicado_titulares_em),
  encerrado_em: instantOfTyped(values.encerrado_em),
})

/** Parses '1.200' as 1200; returns -1 for invalid input, which the server refuses. */
const countOf = (typed: string): number | null => {
  const digits = typed.trim().replaceAll('.', '')
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : -1
}
