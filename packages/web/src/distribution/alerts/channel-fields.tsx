import type { AlertOptions } from '@bi-manager/contract'
import { Checkbox, TextInput } from '@mantine/core'
import { OptionalLabel } from '../../ui/fields/optional-label.tsx'
import classes from '../deliveries/delivery.module.css'
import { FormPart } from '../deliveries/delivery-form.tsx'
import type { PartProps } from './alert-values.ts'

/** How the person is notified. */
export const ChannelFields = ({ values, set, faults, options }: PartProps & { options: AlertOptions }) => (
  <FormPart title="Como avisar">
    <p className={classes.hint}>O aviso sempre aparece no sino do portal.</p>
    <Checkbox
      label="Também por e-mail"
      name="porEmail"
      description={
        options.semEmail ??
        (options.emailSemValores ? 'O e-mail não leva o valor: ele só é mostrado no portal.' : undefined)
      }
      checked={values.porEmail}
      onChange={({ currentTarget: { checked } }) => set({ porEmail: checked })}
    />
    {options.podeWebhook && (
      <TextInput
        label={<OptionalLabel>Webhook</OptionalLabel>}
        name="webhook"
        description="Um endereço https:// que recebe cada aviso, assinado."
        placeholder="https://"
        value={values.webhook}
        error={faults.webhook}
        onChange={({ currentTarget: { value } }) => set({ webhook: value })}
      />
    )}
  </FormPart>
)
