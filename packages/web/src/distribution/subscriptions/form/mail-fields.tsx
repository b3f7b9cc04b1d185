import type { SubscriptionOptions } from '@bi-manager/contract'
import { Switch, Textarea, TextInput } from '@mantine/core'
import '@mantine/core/styles/Switch.layer.css'
import { OptionalLabel } from '../../../ui/fields/optional-label.tsx'
import { FormPart } from '../../deliveries/delivery-form.tsx'
import type { PartProps } from './subscription-values.ts'

/** The texts of the e-mail, and when it is left out. */
export const MailFields = ({
  values,
  set,
  faults,
  options,
}: PartProps & { options: SubscriptionOptions }) => (
  <FormPart title="E-mail">
    <TextInput
      label="Assunto"
      name="assunto"
      maxLength={120}
      value={values.assunto}
      error={faults.assunto}
      onChange={({ currentTarget: { value } }) => set({ assunto: value })}
    />
    <Textarea
      label={<OptionalLabel>Nota</OptionalLabel>}
      name="nota"
      description="Aparece antes do relatório."
      maxLength={1_000}
      autosize
      minRows={2}
      maxRows={6}
      value={values.nota}
      error={faults.nota}
      onChange={({ currentTarget: { value } }) => set({ nota: value })}
    />
    {options.sabeVazio && (
      <Switch
        label="Não enviar sem linhas"
        description="Quando nenhum visual tem linhas para a pessoa."
        checked={values.pulaVazio}
        onChange={({ currentTarget: { checked } }) => set({ pulaVazio: checked })}
      />
    )}
    {options.sabeAtualizacao && (
      <Switch
        label="Não enviar sem mudanças"
        description="Quando os dados são os do último e-mail."
        checked={values.pulaInalterado}
        onChange={({ currentTarget: { checked } }) => set({ pulaInalterado: checked })}
      />
    )}
  </FormPart>
)
