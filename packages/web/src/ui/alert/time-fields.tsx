import { AlertFrequency } from '@bi-manager/contract'
import { NativeSelect, TextInput } from '@mantine/core'
import { SearchSelect } from '../search-select/search-select.tsx'
import shared from '../shared.module.css'
import classes from '../subscription/subscription.module.css'
import { searchZones } from '../subscription/time-zones.ts'
import { frequencyTexts } from './alert-texts.ts'
import type { PartProps } from './alert-values.ts'

/** When the value is read. */
export const TimeFields = ({ values, set, faults }: PartProps) => {
  const { frequencia } = values
  const isTimed = frequencia === 'DIARIA' || frequencia === 'DIAS_UTEIS'
  return (
    <fieldset className={classes.part}>
      <legend className={shared.subheading}>Quando avaliar</legend>
      <div className={shared.columns}>
        <NativeSelect
          label="Frequência"
          name="frequencia"
          data={AlertFrequency.options.map((value) => ({ value, label: frequencyTexts[value] }))}
          value={frequencia}
          error={faults.frequencia}
          onChange={({ currentTarget: { value } }) => set({ frequencia: AlertFrequency.parse(value) })}
        />
        {isTimed && (
          <>
            <TextInput
              type="time"
              label="Horário"
              name="horario"
              value={values.horario}
              error={faults.horario}
              onChange={({ currentTarget: { value } }) => set({ horario: value })}
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
        )}
      </div>
    </fieldset>
  )
}
