import {
  type Frequency,
  frequencyTexts,
  MonthDay,
  monthDayTexts,
  needsTime,
  WEEKDAYS,
  type Weekday,
  weekdayTexts,
} from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import { TimeField, type TimeFieldProps } from '../instant-field/time-field.tsx'
import { SearchSelect } from '../search-select/search-select.tsx'
import type { RecurrenceValues } from './recurrence-values.ts'
import { searchZones } from './time-zones.ts'

interface RecurrenceFieldsProps<F extends Frequency> {
  label?: string
  frequencies: readonly F[]
  values: Pick<RecurrenceValues<F>, 'frequencia' | 'horario'> & Partial<RecurrenceValues<F>>
  /** Field of the contract → error message. */
  faults: Record<string, string>
  set: (changes: Partial<RecurrenceValues<F>>) => void
  /** Each frequency has a time, which is the portal's: how its field differs. */
  portalTime?: Partial<TimeFieldProps>
}

/** When something runs: the fields that the chosen frequency needs. */
export const RecurrenceFields = <F extends Frequency>(props: RecurrenceFieldsProps<F>) => {
  const { label = 'Frequência', frequencies, values, faults, set, portalTime } = props
  const { frequencia } = values
  return (
    <>
      <NativeSelect
        label={label}
        name="frequencia"
        data={frequencies.map((value) => ({ value, label: frequencyTexts[value] }))}
        value={frequencia}
        error={faults.frequencia}
        onChange={({ currentTarget: { value } }) => set({ frequencia: value as F })}
      />
      {needsTime(frequencia, 'diaSemana') && (
        <NativeSelect
          label="Dia da semana"
          name="diaSemana"
          data={WEEKDAYS.map((value) => ({ value, label: weekdayTexts[value] }))}
          value={values.diaSemana}
          error={faults.diaSemana}
          onChange={({ currentTarget: { value } }) => set({ diaSemana: value as Weekday })}
        />
      )}
      {needsTime(frequencia, 'diaMes') && (
        <NativeSelect
          label="Dia do mês"
          name="diaMes"
          data={MonthDay.options.map((value) => ({ value, label: monthDayTexts[value] }))}
          value={values.diaMes}
          error={faults.diaMes}
          onChange={({ currentTarget: { value } }) => set({ diaMes: MonthDay.parse(value) })}
        />
      )}
      {(portalTime ?? needsTime(frequencia, 'horario')) && (
        <TimeField
          label="Horário"
          name="horario"
          value={values.horario}
          error={faults.horario}
          onChange={(horario) => set({ horario })}
          {...portalTime}
        />
      )}
      {!portalTime && needsTime(frequencia, 'horario') && (
        <SearchSelect<string>
          label="Fuso horário"
          name="fuso"
          placeholder="Pesquise pela cidade"
          queryKey={['fusos']}
          search={searchZones}
          value={values.fuso ?? null}
          error={faults.fuso}
          onChange={(fuso) => set({ fuso })}
        />
      )}
    </>
  )
}
