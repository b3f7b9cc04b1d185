import { TimeField } from '../../../ui/instant-field/time-field.tsx'
import { SearchSelect } from '../../../ui/search-select/search-select.tsx'
import type { SelectOption } from '../../../ui/search-select/select-options.ts'
import { searchZones } from '../time-zones.ts'

interface TimeOfDayFieldsProps {
  values: { horario: string; fuso: SelectOption<string> | null }
  faults: Partial<Record<'horario' | 'fuso', string>>
  set: (changes: { horario: string } | { fuso: SelectOption<string> | null }) => void
}

/** A time of day, and the zone whose time it is. */
export const TimeOfDayFields = ({ values, faults, set }: TimeOfDayFieldsProps) => (
  <>
    <TimeField
      label="Horário"
      name="horario"
      value={values.horario}
      error={faults.horario}
      onChange={(horario) => set({ horario })}
    />
    <SearchSelect<string>
      label="Fuso horário"
      name="fuso"
      placeholder="Pesquise pela cidade"
      queryKey={['fusos']}
      search={searchZones}
      value={values.fuso}
      error={faults.fuso}
      onChange={(fuso) => set({ fuso })}
    />
  </>
)
