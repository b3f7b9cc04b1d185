import { AlertFrequency } from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import shared from '../../ui/shared.module.css'
import classes from '../subscriptions/subscription.module.css'
import { TimeOfDayFields } from '../subscriptions/time-of-day-fields.tsx'
import { frequencyTexts } from './alert-texts.ts'
import type { PartProps } from './alert-values.ts'

/** When the value is read. */
export const TimeFields = ({ values, set, faults }: PartProps) => {
  const { frequencia } = values
  const isTimed = frequencia === 'DIARIA' || frequencia === 'DIAS_UTEIS'
  return (
    <fieldset className={classes.part}>
      <legend className={shared.heading}>Quando avaliar</legend>
      <div className={shared.columns}>
        <NativeSelect
          label="Frequência"
          name="frequencia"
          data={AlertFrequency.options.map((value) => ({ value, label: frequencyTexts[value] }))}
          value={frequencia}
          error={faults.frequencia}
          onChange={({ currentTarget: { value } }) => set({ frequencia: AlertFrequency.parse(value) })}
        />
        {isTimed && <TimeOfDayFields values={values} faults={faults} set={set} />}
      </div>
    </fieldset>
  )
}
