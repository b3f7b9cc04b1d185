import { AttachmentType, type Beneficiary } from '@bi-manager/contract'
import { Alert, Button, Textarea, TextInput } from '@mantine/core'
import { IconAlertCircle, IconCircleCheck, IconSend } from '@tabler/icons-react'
import { type SubmitEvent, useEffect, useId, useRef } from 'react'
import { focusOnMount } from '../../ui/page-focus.ts'
import { RestoredNotice } from '../../ui/restored-notice.tsx'
import { ClosedSelect } from '../../ui/search-select/closed-select.tsx'
import shared from '../../ui/shared.module.css'
import classes from './attachment-form.module.css'
import './attachments-mantine.css'
import { FileField } from './file-field.tsx'
import { UploadProgress } from './upload-progress.tsx'
import { type AttachmentField, type AttachmentFormState, useAttachmentForm } from './use-attachment-form.ts'

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
  const hear = useRef(onDirty)
  hear.current = onDirty
  useEffect(() => hear.current(form.isDirty), [form.isDirty])

  // 'Cancelar', which had the focus, is unmounted.
  const wasPending = useRef(false)
  useEffect(() => {
    if (wasPending.current && !isPending) button.current?.focus({ preventScroll: true })
    wasPending.current = isPending
  }, [isPending])

  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault()
    if (form.isValid) form.submit()
  }
  const field = (name: AttachmentField) => ({
    name,
    required: true,
    error: form.errorOf(name),
    onBlur: () => form.touch(name),
  })
  return (
    <form
      noValidate
      autoComplete="off"
      onSubmit={handleSubmit}
      className={classes.form}
      aria-labelledby={heading}
    >
      <h2 id={heading} className={classes.heading}>
        Anexar arquivos
      </h2>
      <p className={classes.owner}>
        {beneficiary ? (
          <>
            Anexo de <strong>{beneficiary.nome_beneficiario}</strong>
          </>
        ) : (
          'Escolha acima de quem é o anexo.'
        )}
      </p>
      {form.isRestored && <RestoredNotice done="preenchido" save="envie" />}
      <fieldset disabled={isPending} className={classes.fields}>
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
          onChoose={(file) => void form.choose(file)}
        />
      </fieldset>
      {isPending ? (
        <UploadProgress sent={form.sent} hasFile={form.file !== null} onCancel={form.cancel} />
      ) : (
        <>
          <Outcome form={form} />
          <Button
            ref={button}
            type="submit"
            disabled={!form.isValid}
            aria-describedby={state}
            leftSection={<IconSend size={18} aria-hidden />}
          >
            Enviar anexo
          </Button>
          <p id={state} role="status" className={classes.state}>
            {form.missing}
          </p>
        </>
      )}
    </form>
  )
}

const Outcome = ({ form: { outcome, problem, canRetry, submit } }: { form: AttachmentFormState }) => {
  if (problem)
    return (
      <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
        {problem}
        {canRetry && (
          <Button variant="default" size="sm" mt="sm" className={classes.retry} onClick={submit}>
            Tentar novamente
          </Button>
        )}
      </Alert>
    )
  if (outcome === 'sent')
    return (
      <p ref={focusOnMount} tabIndex={-1} role="status" className={classes.sent}>
        <IconCircleCheck size={22} stroke={1.8} aria-hidden className={shared.successIcon} />
        Anexo enviado!
      </p>
    )
  if (outcome)
    return (
      <p role="status" className={classes.cancelled}>
        Envio cancelado.
        {outcome === 'cancelled late' && ' Confira em Anexos se ele chegou a ser guardado.'}
      </p>
    )
  return null
}
