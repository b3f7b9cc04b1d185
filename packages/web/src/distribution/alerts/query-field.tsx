import { alertsApi } from '@bi-manager/contract'
import { Textarea } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import classes from '../deliveries/delivery.module.css'
import { FormPart } from '../deliveries/delivery-form.tsx'
import { valueText } from './alert-texts.ts'
import type { PartProps } from './alert-values.ts'

/** The DAX query of an alert, which can be tested. */
export const QueryField = ({ values, set, faults, idRelatorio }: PartProps & { idRelatorio: number }) => {
  const { consulta } = values
  const [tested, setTested] = useState<{ consulta: string; valor: number | null }>()
  const testing = useSubmission(
    () => call(alertsApi.testQuery, { params: { id: idRelatorio }, body: { consulta } }),
    ({ valor }) => setTested({ consulta, valor }),
  )
  return (
    <FormPart title="O que vigiar">
      <Textarea
        label="Consulta DAX"
        description="O resultado precisa ter uma linha e uma coluna."
        name="consulta"
        placeholder={'EVALUATE ROW("Total", [Total])'}
        autosize
        minRows={3}
        maxRows={10}
        spellCheck={false}
        styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
        value={consulta}
        error={faults.consulta ?? testing.faults.consulta}
        onChange={({ currentTarget: { value } }) => {
          testing.forget()
          set({ consulta: value })
        }}
      />
      <div className={shared.spread}>
        <p role="status" className={classes.hint}>
          {tested?.consulta === consulta && `Resultado: ${valueText(tested.valor, null)}`}
        </p>
        <ActionButton
          icon={IconPlayerPlay}
          label="Testar"
          aria-label="Testar a consulta"
          loading={testing.isPending}
          disabled={consulta.trim() === ''}
          onClick={testing.submit}
        />
      </div>
      <ErrorAlert error={testing.problem} />
    </FormPart>
  )
}
