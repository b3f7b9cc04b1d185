import { AttachmentType, type Beneficiary } from '@bi-manager/contract'
import { Alert, Group, Progress, Text, Textarea, TextInput } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconSend } from '@tabler/icons-react'
import { useEffect, useId, useRef } from 'react'
import { ActionButton } from '../../ui/action-button.tsx'
import { Form } from '../../ui/form.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import { ClosedSelect } from '../../ui/search-select/closed-select.tsx'
import shared from '../../ui/shared.module.css'
import { useReported } from '../../ui/use-reported.ts'
import classes from './attachment-form.module.css'
import { FileField } from './file-field.tsx'
import { type AttachmentField, type AttachmentFormState, useAttachmentForm } from './use-attachment-form.ts'
import './attachments-mantine.css'

interface AttachmentFormProps {
  /** The patient of the attachment; null disables sending. */
  beneficiary: Beneficiary | null
  /** Called when the form gets or loses unsent input. */
  onDirty: (dirty: boolean) => void
}

/** The form 'Anexar arquivos': title, type, description and an optional file. */
export const AttachmentForm = ({ beneficiary, onDirty }: AttachmentFormProps) => {
  const form = useAttachmentForm(beneficiary)
  const { values, isPending, change } = form
  const heading = useId()
  const state = useId()
  const button = useRef<HTMLButtonElement>(null)
  useReported(form.isDirty, onDirty)

  // 'Cancelar', which had the focus, is unmounted.
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !isPending) button.current?.focus({ preventScroll: true })
    wasPending.current = isPending
  }, [isPending])

  const field = (name: AttachmentField) => ({
    name,
    required: true,
    error: form.errorOf(name),
    onBlur: () => form.touch(name),
  })
  return (
    <Form
      autoComplete="off"
      onSubmit={() => form.isValid && form.submit()}
      className={classes.form}
      aria-labelledby={heading}
    >
      <h2 id={heading} className={shared.title}>
        Anexar arquivos
      </h2>
      <p className={`${shared.note} ${classes.owner}`}>
        {beneficiary ? (
          <>
            Anexo de <strong>{beneficiary.nome_beneficiario}</strong>
          </>
        ) : (
          'Escolha acima de quem é o anexo.'
        )}
      </p>
      {form.isRestored && <RestoredNotice done="preenchido" save="envie" />}
      <fieldset disabled={isPending} className={shared.stackMd}>
        <div className={classes.pair}>
          <TextInput
            label="Título"
            maxLength={120}
            autoComplete="off"
            value={values.titulo_anexo}
            onChange={(event) => change('titulo_anexo', event.currentTarget.value)}
            {...field('titulo_anexo')}
          />
          <ClosedSelect
            label="Tipo"
            placeholder="IMG ou PDF"
            options={AttachmentType.options}
            value={values.tipo_anexo}
            onChange={(type) => change('tipo_anexo', type)}
            {...field('tipo_anexo')}
          />
        </div>
        <Textarea
          label="Descrição"
          maxLength={2000}
          autosize
          minRows={3}
          maxRows={8}
          value={values.descricao_anexo}
          onChange={(event) => change('descricao_anexo', event.currentTarget.value)}
          {...field('descricao_anexo')}
        />
        <FileField
          file={form.file}
          error={form.fileError}
          notTaken={form.notTaken}
          isDisabled={isPending}
          onDropNotTaken={form.dropNotTaken}
          onSendWithout={form.submitWithoutFile}
          onChoose={(file) => void form.choose(file)}
        />
      </fieldset>
      {isPending ? (
        <UploadProgress sent={form.sent} hasFile={form.file !== null} onCancel={form.cancel} />
      ) : (
        <>
          <Outcome form={form} />
          <ActionButton
            ref={button}
            isMain
            icon={IconSend}
            label="Enviar anexo"
            type="submit"
            disabled={!form.isValid}
            aria-describedby={state}
          />
          <p id={state} role="status" className={shared.smallNote}>
            {form.missing}
          </p>
        </>
      )}
    </Form>
  )
}

const Outcome = ({ form: { outcome, problem, canRetry, submit } }: { form: AttachmentFormState }) => {
  if (problem)
    return (
      <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
        {problem}
        {canRetry && <ActionButton label="Tentar novamente" mt="sm" display="block" onClick={submit} />}
      </Alert>
    )
  if (outcome === 'sent')
    return (
      <Group component="p" ref={focusOnMount} tabIndex={-1} role="status" gap={8} fz="sm" fw={600}>
        <IconCircleCheck size={22} stroke={1.8} aria-hidden className={shared.successIcon} />
        Anexo enviado!
      </Group>
    )
  if (outcome)
    return (
      <Text role="status" c="dimmed" fz="sm">
        Envio cancelado.
        {outcome === 'cancelled late' && ' Confira em Anexos se ele chegou a ser guardado.'}
      </Text>
    )
  return null
}

interface UploadProgressProps {
  /** 0 to 1; at 1 the server has received everything and checks the file. */
  sent: number
  hasFile: boolean
  onCancel: () => void
}

/** The sent part of the upload in percent, with 'Cancelar'. */
const UploadProgress = ({ sent, hasFile, onCancel }: UploadProgressProps) => {
  const label = useId()
  const percent = Math.floor(sent * 100)
  const isSent = sent >= 1
  return (
    <div className={shared.stackXs}>
      <Group justify="space-between" fz="sm">
        <span id={label} role="status">
          {isSent ? (hasFile ? 'Conferindo o arquivo…' : 'Gravando…') : 'Enviando…'}
        </span>
        <span className={classes.percent}>{percent}%</span>
      </Group>
      <Progress.Root size="md">
        <Progress.Section value={percent} aria-labelledby={label} animated={isSent} />
      </Progress.Root>
      <ActionButton ref={focusOnMount} label="Cancelar" onClick={onCancel} />
    </div>
  )
}
