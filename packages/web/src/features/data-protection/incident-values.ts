import type { Incident, IncidentDraft } from '@bi-manager/contract'
import { instantOfTyped, typedOf } from './instant-text.ts'

/** What the form holds. Instants are as typed (instant-text.ts). */
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

/** A new one must be told until somebody says otherwise: the safe side. */
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

/** What is at fault is sent as it is: the server says what is wrong with it. */
export const draftOf = (values: IncidentValues): IncidentDraft => ({
  ...values,
  conhecido_em: instantOfTyped(values.conhecido_em) ?? '',
  ocorrido_em: instantOfTyped(values.ocorrido_em),
  titulares_afetados: countOf(values.titulares_afetados),
  comunicado_anpd_em: instantOfTyped(values.comunicado_anpd_em),
  comunicado_titulares_em: instantOfTyped(values.comunicado_titulares_em),
  encerrado_em: instantOfTyped(values.encerrado_em),
})

/** '1.200' is twelve hundred; what is no number is none that the server takes. */
const countOf = (typed: string): number | null => {
  const digits = typed.trim().replaceAll('.', '')
  if (digits === '') return null
  return /^\d+$/.test(digits) ? Number(digits) : -1
}
