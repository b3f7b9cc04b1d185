import { connectionEntity, labelsOf } from '@bi-manager/contract'
import { Radio, TextInput, UnstyledButton } from '@mantine/core'
import { IconChevronRight } from '@tabler/icons-react'
import { useId, useState } from 'react'
import type { RecordForm } from '../../ui/record-form/use-record-form.ts'
import '../../ui/record-form/record-form-mantine.css'
import { type ConnectionValues, credentialNames, providerNames } from './connection-values.ts'
import classes from './connections.module.css'

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
  form: Pick<RecordForm<ConnectionValues, never>, 'values' | 'errors' | 'text' | 'field'>
  /** Whether to offer 'server default', which only a new connection may use. */
  isNew: boolean
}

/** The section 'Avançado', closed at first unless it holds values or errors. */
export const AdvancedFields = ({ form, isNew }: AdvancedFieldsProps) => {
  const { values, errors } = form
  const id = useId()
  const [isOpen, setOpen] = useState(values.tenantId !== '' || values.applicationId !== '')
  const isFaulty = Boolean(
    errors.provedor || errors.tenantId || errors.applicationId || errors.tipoCredencial,
  )
  // During render, so that the invalid field is mounted when the form focuses it.
  if (isFaulty && !isOpen) setOpen(true)
  return (
    <div className={classes.advanced}>
      <UnstyledButton
        className={classes.toggle}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <IconChevronRight size={18} aria-hidden className={classes.chevron} />
        Avançado
        <span className={classes.summary}>{isOpen ? '' : summaryOf(values)}</span>
      </UnstyledButton>
      {isOpen && (
        <div id={id} className={classes.advancedFields}>
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
        </div>
      )}
    </div>
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
    <div className={classes.choices}>
      {(Object.keys(names) as C[])
        .filter((choice) => choice !== '' || isNew)
        .map((choice) => (
          <Radio key={choice} value={choice} label={names[choice]} description={texts[choice]} />
        ))}
    </div>
  </Radio.Group>
)

const summaryOf = ({ provedor, tipoCredencial }: ConnectionValues): string =>
  [provedor && providerNames[provedor], tipoCredencial && credentialNames[tipoCredencial]]
    .filter(Boolean)
    .join(' · ')
