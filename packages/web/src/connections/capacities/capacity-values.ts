import { brazilianDayOf, type Capacity, type CapacityDraft, isoDayOf } from '@bi-manager/contract'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'

/** The form's values; days of holidays are dd/mm/aaaa. */
export const valuesOf = (capacity: Capacity | undefined) => ({
  nome: capacity?.nome ?? '',
  idPowerBi: capacity ? { value: capacity.idPowerBi, label: capacity.nomePowerBi } : null,
  recurso: capacity?.recurso ?? '',
  diasAgenda: capacity?.diasAgenda ?? [],
  iniciaAs: capacity?.iniciaAs ?? '',
  pausaAs: capacity?.pausaAs ?? '',
  tamanhoInicio: capacity?.tamanhoInicio ?? '',
  tamanhoFim: capacity?.tamanhoFim ?? '',
  feriados: capacity?.feriados.map(brazilianDayOf) ?? [],
  ociosaMinutos: capacity?.ociosaMinutos?.toString() ?? '',
})

export type CapacityValues = ReturnType<typeof valuesOf>

/** Returns the request body; the form is sent only when all required fields are filled. */
export const draftOf = (values: CapacityValues): WholeBody<CapacityDraft> => ({
  nome: values.nome,
  idPowerBi: values.idPowerBi?.value ?? 0,
  recurso: values.recurso,
  diasAgenda: values.diasAgenda,
  iniciaAs: values.iniciaAs || null,
  pausaAs: values.pausaAs || null,
  tamanhoInicio: sizeOf(values.tamanhoInicio),
  tamanhoFim: sizeOf(values.tamanhoFim),
  feriados: values.feriados.map((day) => isoDayOf(day) ?? day),
  ociosaMinutos: values.ociosaMinutos.trim() === '' ? null : Number(values.ociosaMinutos),
})

const sizeOf = (typed: string): string | null => typed.trim().toUpperCase() || null

/** Returns the existing days among these, in order, and whether all of them exist. */
export const holidaysOf = (days: string[]): { days: string[]; areValid: boolean } => {
  const known = days.map((day) => isoDayOf(day.trim())).filter((day) => day !== undefined)
  return {
    days: [...new Set(known)].toSorted().map(brazilianDayOf),
    areValid: known.length === days.length,
  }
}
