import { connectionEntity, labelsOf } from '@bi-manager/contract'
import { Radio, Stack, TextInput } from '@mantine/core'
import { AdvancedSection } from '../../ui/entity-form/advanced-section.tsx'
import type { EntityForm } from '../../ui/entity-form/use-entity-form.ts'
import '../../ui/entity-form/entity-form-mantine.css'
import { type ConnectionValues, credentialNames, providerNames } from './connection-values.ts'

const labels = labelsOf(connectionEntity)

type Provider = ConnectionValues['provedor']
type Credential = ConnectionValues['tipoCredencial']

const providerTexts: Record<Provider, string> = {
  '': 'O que a instalação do portal usa quando ninguém escolhe.',
  local:
    'O serviço de relatórios que acompanha o portal. No primeiro início ele mostra o Username e a Senha dele; o resto fica vazio.',
  microsoft: 'O Power BI da Microsoft, com um aplicativo registrado no Microsoft Entra.',
}

const credentialTexts: Record<Credential, string> = {
  '': 'Um e-mail no Username entra como usuário mestre; outra coisa, como service principal.',
  service_principal: 'Um aplicativo: Username é o Application ID e Senha, o segredo do cliente.',
  master_user: 'Uma conta de pessoa do Power BI: Username é o e-mail e Senha, a senha dela.',
}

interface AdvancedFieldsProps {
  form: Pick<EntityForm<ConnectionValues, never>, 'values' | 'errors' | 'text' | 'field'>
  /** Whether to offer 'server default', which only a new connection may use. */
  isNew: boolean
}

/** The fields of the section 'Avançado'. */
export const AdvancedFields = ({ form, isNew }: AdvancedFieldsProps) => {
  const { values, errors } = form
  return (
    <AdvancedSection
      isFilled={[values.tenantId, values.applicationId, values.perfilPrincipal].some((value) => value !== '')}
      isFaulty={Boolean(
        errors.provedor ||
          errors.tenantId ||
          errors.applicationId ||
          errors.tipoCredencial ||
          errors.perfilPrincipal,
      )}
      summary={summaryOf(values)}
    >
      <Choice
        label={labels.provedor}
        names={providerNames}
        texts={providerTexts}
        isNew={isNew}
        {...form.field('provedor')}
      />
      <TextInput
        label={labels.tenantId}
        description="ID do diretório no Microsoft Entra. Vazio: o da configuração do servidor; no provedor Local não se usa."
        placeholder="00000000-0000-0000-0000-000000000000"
        spellCheck={false}
        autoComplete="off"
        {...form.text('tenantId')}
      />
      <TextInput
        label={labels.applicationId}
        description="ID do aplicativo (cliente). Num service principal, vazio significa o mesmo que o Username."
        placeholder="00000000-0000-0000-0000-000000000000"
        spellCheck={false}
        autoComplete="off"
        {...form.text('applicationId')}
      />
      <Choice
        label={labels.tipoCredencial}
        names={credentialNames}
        texts={credentialTexts}
        isNew={isNew}
        {...form.field('tipoCredencial')}
      />
      <TextInput
        label={labels.perfilPrincipal}
        description="Só quando o aplicativo tem um perfil do Power BI por cliente: o id do perfil dono dos workspaces. Vazio: o próprio aplicativo."
        placeholder="00000000-0000-0000-0000-000000000000"
        spellCheck={false}
        autoComplete="off"
        {...form.text('perfilPrincipal')}
      />
    </AdvancedSection>
  )
}

interface ChoiceProps<C extends string> {
  label: string
  name: string
  names: Record<C, string>
  texts: Record<C, string>
  isNew: boolean
  value: C
  onChange: (value: C) => void
  error: string | undefined
}

const Choice = <C extends string>({ names, texts, isNew, onChange, ...group }: ChoiceProps<C>) => (
  <Radio.Group {...group} onChange={(value) => onChange(value as C)}>
    <Stack gap="0.75rem" mt="0.5rem">
      {(Object.keys(names) as C[])
        .filter((choice) => choice !== '' || isNew)
        .map((choice) => (
          <Radio key={choice} value={choice} label={names[choice]} description={texts[choice]} />
        ))}
    </Stack>
  </Radio.Group>
)

const summaryOf = ({ provedor, tipoCredencial }: ConnectionValues): string =>
  [provedor && providerNames[provedor], tipoCredencial && credentialNames[tipoCredencial]]
    .filter(Boolean)
    .join(' · ')
