import { AlertCondition } from '@bi-manager/contract'
import { NativeSelect, TextInput } from '@mantine/core'
import shared from '../../ui/shared.module.css'
import classes from '../deliveries/delivery.module.css'
import { FormPart } from '../deliveries/delivery-form.tsx'
import { conditionText, conditionTexts } from './alert-texts.ts'
import { conditionOf, type PartProps } from './alert-values.ts'

/** When the value is worth a notification. */
export const ConditionFields = ({ values, set, faults, formato }: PartProps & { formato: string | null }) => {
  const { condicao, percentual } = values
  const condition = conditionOf(values, formato)
  const { limite } = condition
  const isKnown = condicao === 'AUSENTE' || (limite !== null && (condicao !== 'VARIOU' || limite > 0))
  const isPercent = formato === 'percentual' || condition.percentual
  return (
    <FormPart title="Avisar quando o valor">
      <div className={shared.columns}>
        <NativeSelect
          label="Condição"
          name="condicao"
          data={AlertCondition.options.map((value) => ({ value, label: conditionTexts[value] }))}
          value={condicao}
          error={faults.condicao}
          onChange={({ currentTarget: { value } }) => set({ condicao: AlertCondition.parse(value) })}
        />
        {condicao === 'VARIOU' && (
          <NativeSelect
            label="Medida"
            name="percentual"
            data={[
              { value: 'nao', label: 'Em valor' },
              { value: 'sim', label: 'Em porcentagem' },
            ]}
            value={percentual ? 'sim' : 'nao'}
            onChange={({ currentTarget: { value } }) => set({ percentual: value === 'sim' })}
          />
        )}
        {condicao !== 'AUSENTE' && (
          <TextInput
            label={condicao === 'VARIOU' ? 'Ao menos' : 'Limite'}
            name="limite"
            inputMode="decimal"
            rightSection={isPercent ? '%' : undefined}
            value={values.limite}
            error={faults.limite}
            onChange={({ currentTarget: { value } }) => set({ limite: value })}
          />
        )}
      </div>
      <p className={classes.sentence} role="status">
        {isKnown
          ? `Condição: ${conditionText({ ...condition, formato })}. Um aviso a cada vez que ela passa a valer.`
          : condicao === 'VARIOU'
            ? 'Informe o tamanho da variação.'
            : 'Informe o limite.'}
      </p>
    </FormPart>
  )
}
