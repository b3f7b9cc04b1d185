import type { Guest, GuestDraft, GuestUpdate } from '@bi-manager/contract'
import { dayOfText, textOfDay } from '../../ui/day-field/day-text.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'
import type { SelectOption } from '../../ui/search-select/select-options.ts'

type NamedReport = Pick<Guest, 'idRelatorio' | 'nomeRelatorio'>

/** The form's values; those of a new invitation may name its report. */
export const valuesOf = (guest: Guest | undefined, report?: NamedReport) => ({
  emailConvidado: guest?.emailConvidado ?? '',
  idRelatorio: optionOf(guest ?? report),
  ultimoDia: textOfDay(guest?.ultimoDia),
  motivo: guest?.motivo ?? '',
  usuarioIdentidade: guest?.usuarioIdentidade ?? '',
  identidadeRls: guest?.identidadeRls ?? '',
})
type GuestValues = ReturnType<typeof valuesOf>

const optionOf = (report: NamedReport | undefined): SelectOption | null =>
  report ? { value: report.idRelatorio, label: report.nomeRelatorio } : null

export const updateOf = (values: GuestValues): WholeBody<GuestUpdate> => ({
  // An impossible day is sent as typed: the portal refuses it at its field.
  ultimoDia: dayOfText(values.ultimoDia) ?? values.ultimoDia,
  motivo: values.motivo,
  usuarioIdentidade: values.usuarioIdentidade.trim() || null,
  identidadeRls: values.identidadeRls.trim() || null,
})

export const draftOf = (values: GuestValues): WholeBody<GuestDraft> => ({
  emailConvidado: values.emailConvidado,
  idRelatorio: values.idRelatorio?.value ?? 0,
  ...updateOf(values),
})
