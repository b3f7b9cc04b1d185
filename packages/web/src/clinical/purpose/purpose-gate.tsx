import '@mantine/core/styles/Radio.layer.css'
import { PURPOSE_LENGTH, type PurposeCode, purposes, purposeText } from '@bi-manager/contract'
import { Group, Modal, Radio, Stack, TextInput } from '@mantine/core'
import { IconShieldLock } from '@tabler/icons-react'
import { type ReactNode, useRef, useState } from 'react'
import { choosePurpose, type Purpose, usePurpose } from '../../lib/session/purpose.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import classes from './purpose-gate.module.css'

interface PurposeGateProps {
  /** Explains to the data protection officer each purpose for work without patient care. */
  isOfficer?: boolean
  children: ReactNode
}

/**
 * Asks once per session why the person reads medical records; renders `children` only afterwards.
 * The current purpose is shown above them; changing it does not remount them.
 */
export const PurposeGate = ({ isOfficer = false, children }: PurposeGateProps) => {
  const purpose = usePurpose()
  const [isChanging, setChanging] = useState(false)
  const change = useRef<HTMLButtonElement>(null)

  if (!purpose)
    return (
      <Stack
        component="section"
        gap="0.875rem"
        maw="30rem"
        mx="auto"
        p="1.5rem 1.25rem 2rem"
        aria-label="Finalidade do acesso"
      >
        <IconShieldLock size={30} stroke={1.5} aria-hidden className={shared.accent} />
        <PurposeForm isOfficer={isOfficer} submitText="Continuar" />
      </Stack>
    )
  return (
    <>
      <Group gap={8} mih="2.25rem" wrap="nowrap" c="dimmed" fz="xs">
        <IconShieldLock size={18} stroke={1.6} aria-hidden className={shared.dimmedIcon} />
        <p className={`${shared.breakable} ${classes.inForceText}`}>
          Finalidade: <strong>{purposeText(purpose.code, purpose.text)}</strong>
        </p>
        <ActionButton
          ref={change}
          variant="subtle"
          label="Trocar"
          size="compact-sm"
          flex="none"
          fz="xs"
          aria-label="Trocar a finalidade"
          onClick={() => setChanging(true)}
        />
      </Group>
      <Modal
        opened={isChanging}
        onClose={() => setChanging(false)}
        title="Trocar a finalidade"
        centered
        closeButtonProps={{ 'aria-label': 'Fechar' }}
      >
        <PurposeForm
          isOfficer={isOfficer}
          current={purpose}
          submitText="Trocar a finalidade"
          onDone={() => setChanging(false)}
          onCancel={() => setChanging(false)}
        />
      </Modal>
      {children}
    </>
  )
}

interface PurposeFormProps {
  isOfficer: boolean
  current?: Purpose
  submitText: string
  onDone?: () => void
  onCancel?: () => void
}

const codes = Object.keys(purposes) as PurposeCode[]

const PurposeForm = ({ isOfficer, current, submitText, onDone, onCancel }: PurposeFormProps) => {
  const [code, setCode] = useState<PurposeCode | ''>(current?.code ?? '')
  const [text, setText] = useState(current?.text ?? '')
  const [isIncomplete, setIncomplete] = useState(false)
  const other = useRef<HTMLInputElement>(null)
  const choices = useRef<HTMLDivElement>(null)
  const lacksText = code === 'outro' && !text.trim()

  const handleSubmit = () => {
    setIncomplete(true)
    if (!code) return choices.current?.querySelector('input')?.focus()
    if (lacksText) return other.current?.focus()
    choosePurpose(code, text)
    onDone?.()
  }

  return (
    <Form autoComplete="off" onSubmit={handleSubmit} className={shared.stackMd}>
      <Radio.Group
        name="finalidade"
        label="Para que você vai acessar estes dados?"
        description="Cada acesso fica registrado com seu nome, a data e esta finalidade."
        value={code}
        onChange={(value) => setCode(value as PurposeCode)}
        error={isIncomplete && !code ? 'Escolha uma opção.' : undefined}
        classNames={{ label: shared.heading, description: classes.description }}
      >
        <Stack gap={8} mt="sm" ref={choices}>
          {codes.map((one) => (
            <Radio
              key={one}
              value={one}
              label={purposes[one]}
              description={isOfficer ? officerMeanings[one] : undefined}
              classNames={radio}
            />
          ))}
        </Stack>
      </Radio.Group>
      {code === 'outro' && isOfficer && (
        <fieldset className={shared.chips} aria-label="Finalidades frequentes">
          {officerExamples.map((example) => (
            <ActionButton key={example} label={example} size="compact-md" onClick={() => setText(example)} />
          ))}
        </fieldset>
      )}
      {code === 'outro' && (
        <TextInput
          ref={other}
          label="Qual finalidade?"
          description="Não escreva nomes nem dados de beneficiários."
          autoFocus
          autoComplete="off"
          maxLength={OTHER_LENGTH}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          error={isIncomplete && lacksText ? 'Escreva a finalidade.' : undefined}
        />
      )}
      <div className={shared.buttonsAtEnd}>
        {onCancel && <ActionButton label="Cancelar" onClick={onCancel} />}
        <ActionButton isMain label={submitText} type="submit" />
      </div>
    </Form>
  )
}

const OTHER_LENGTH = PURPOSE_LENGTH - purposeText('outro', 'x').length + 1

const officerMeanings: Record<PurposeCode, string> = {
  atendimento: 'Assistência à saúde do beneficiário',
  auditoria: 'Conferir quem acessou os dados e por quê',
  regulacao: 'Responder à ANPD, à ANS ou à Justiça',
  outro: 'Pedido do titular, incidente, retenção…',
}

const officerExamples = ['Pedido do titular (LGPD, art. 18)', 'Apuração de incidente', 'Revisão da retenção']

const radio = {
  root: classes.choice,
  labelWrapper: classes.choiceText,
  label: classes.choiceLabel,
  description: classes.meaning,
}
