import { ApiProblem, MISSING } from '@bi-manager/contract'
import { TextInput } from '@mantine/core'
import { type ComponentProps, useRef, useState } from 'react'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import dialog from '../../ui/dialog/dialog.module.css'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import classes from './second-factor.module.css'

interface CodeFormProps {
  label: string
  description?: string
  input: Pick<ComponentProps<'input'>, 'inputMode' | 'autoComplete'>
  /** The button's label: 'Ativar'. */
  action: string
  color?: 'red'
  onSubmit: (code: string) => Promise<unknown>
  onCancel?: (() => void) | undefined
  autoFocus?: boolean
  /** Orders the buttons as in dialogs: submit on the right. */
  inDialog?: boolean
}

/** A form for a code, with the error at the field. */
export const CodeForm = (props: CodeFormProps) => {
  const {
    label,
    description,
    input,
    action,
    color,
    onSubmit,
    onCancel,
    autoFocus = false,
    inDialog = false,
  } = props
  const [code, setCode] = useState('')
  const [isMissing, setMissing] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: onSubmit,
    // Not cached: the response may hold recovery codes.
    gcTime: 0,
    onError: () => {
      field.current?.focus()
      field.current?.select()
    },
  })
  const fault = error instanceof ApiProblem ? error.campos.codigo : undefined

  const handleSubmit = () => {
    setMissing(!code.trim())
    if (!code.trim()) return field.current?.focus()
    mutate(code)
  }

  const submit = (
    <Button type="submit" color={color} loading={isPending}>
      {action}
    </Button>
  )
  const cancel = onCancel && (
    <Button variant="default" onClick={onCancel} disabled={isPending}>
      Cancelar
    </Button>
  )
  return (
    <Form onSubmit={handleSubmit} className={inDialog ? shared.stackMd : `${shared.stackMd} ${classes.form}`}>
      <TextInput
        ref={field}
        label={label}
        description={description}
        name="codigo"
        maxLength={40}
        autoCapitalize="none"
        spellCheck={false}
        {...input}
        data-autofocus={autoFocus || undefined}
        classNames={{ input: classes.code }}
        value={code}
        onChange={(event) => {
          setCode(event.currentTarget.value)
          if (error) reset()
        }}
        error={isMissing && !code.trim() ? MISSING : fault}
      />
      {!fault && <ErrorAlert error={error} />}
      <div className={inDialog ? dialog.answers : shared.buttons}>
        {inDialog && cancel}
        {submit}
        {!inDialog && cancel}
      </div>
    </Form>
  )
}
