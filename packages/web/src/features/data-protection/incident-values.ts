import type { Incident, IncidentDraft } from '@bi-manager/contract'
import { instantOfTyped, typedOf } from './instant-text.ts'

/** The form's values. Instants are in the format of instant-text.ts. */
export interface IncidentValues {
  titulo: string
  conhecido_em: string
  ocorrido_em: string
  descricao: string
  dados_afetados: string
  titulares_afetados: string
  gravidade: Incident['gravidade']
  exige_comunicacao: boolean
  medidas: string
  comunicado_anpd_em: string
  comunicado_titulares_em: string
  motivo_sem_comunicacao: string
  encerrado_em: string
}

/** Returns the form's values; a new incident requires notification by default, the safe choice. */
export const valuesOf = (incident: Incident | undefined): IncidentValues => ({
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

/** Returns the request body. Invalid input is passed on, so that the server reports the error. */
export const draftOf = (values: IncidentValues): IncidentDraft => ({
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
