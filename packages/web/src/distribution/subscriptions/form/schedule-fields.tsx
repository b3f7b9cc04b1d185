import {
  MonthDay,
  PORTAL_ZONE,
  type Subscription,
  SubscriptionFrequency,
  type SubscriptionOptions,
  WEEKDAYS,
} from '@bi-manager/contract'
import { NativeSelect } from '@mantine/core'
import shared from '../../../ui/shared.module.css'
import classes from '../subscription.module.css'
import { frequencyTexts, monthDayTexts, scheduleText, weekdayTexts } from '../subscription-texts.ts'
import type { PartProps } from './subscription-values.ts'
import { TimeOfDayFields } from './time-of-day-fields.tsx'

/** When the e-mails are sent. */
export const ScheduleFields = ({
  values,
  set,
  faults,
  options,
}: PartProps & { options: SubscriptionOptions }) => {
  const { frequencia } = values
  const offered = SubscriptionFrequency.options.filter(
    (one) => one !== 'ATUALIZACAO' || options.sabeAtualizacao,
  )
  const isTimed = frequencia !== 'ATUALIZACAO'
  return (
    <fieldset className={classes.part}>
      <legend className={shared.heading}>Quando</legend>
      <div className={shared.columns}>
        <NativeSelect
          label="Frequência"
          name="frequencia"
          data={offered.map((value) => ({ value, label: frequencyTexts[value] }))}
          value={frequencia}
          error={faults.frequencia}
          onChange={({ currentTarget: { value } }) => set({ frequencia: SubscriptionFrequency.parse(value) })}
        />
        {frequencia === 'SEMANAL' && (
          <NativeSelect
            label="Dia da semana"
            name="diaSemana"
            data={WEEKDAYS.map((value) => ({ value, label: weekdayTexts[value] }))}
            value={values.diaSemana}
            error={faults.diaSemana}
            onChange={({ currentTarget: { value } }) =>
              set({ diaSemana: value as NonNullable<Subscription['diaSemana']> })
            }
          />
        )}
        {frequencia === 'MENSAL' && (
          <NativeSelect
            label="Dia do mês"
            name="diaMes"
            data={MonthDay.options.map((value) => ({ value, label: monthDayTexts[value] }))}
            value={values.diaMes}
            error={faults.diaMes}
            onChange={({ currentTarget: { value } }) => set({ diaMes: MonthDay.parse(value) })}
          />
        )}
        {isTimed && <TimeOfDayFields values={values} faults={faults} set={set} />}
      </div>
      <p className={classes.sentence} role="status">
        {scheduleText({ ...values, fuso: values.fuso?.value ?? PORTAL_ZONE })}.
        {isTimed &&
          (frequencia === 'DIAS_UTEIS' || frequencia === 'MENSAL') &&
          ' Feriados contam como dias úteis.'}
      </p>
    </fieldset>
  )
}
