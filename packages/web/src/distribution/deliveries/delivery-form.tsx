import { ApiProblem } from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { type ReactNode, useRef, useState } from 'react'
import { refreshAfter } from '../../lib/api/refresh-after.ts'
import { useFaultFocus } from '../../lib/forms/use-fault-focus.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import classes from './delivery.module.css'
import type { DeliveryKind } from './delivery-kind.ts'

/** What each part of a form gets. */
export interface PartProps<V> {
  values: V
  set: (changes: Partial<V>) => void
  /** Field of the contract → error message. */
  faults: Record<string, string>
}

interface FormOptions<V, D, A> {
  kind: Pick<DeliveryKind<never>, 'entity' | 'texts'>
  initial: () => V
  /** Returns the request body, and what is wrong with it by field. */
  draftOf: (values: V) => { draft: D | undefined; faults: Record<string, string> }
  save: (draft: D) => Promise<A>
  onSaved: (answer: A) => void
}

/** The state of the form of an alert or subscription. */
export const useDeliveryForm = <V, D, A>({ kind, initial, draftOf, save, onSaved }: FormOptions<V, D, A>) => {
  const client = useQueryClient()
  const [values, setValues] = useState(initial)
  const [isSubmitted, setSubmitted] = useState(false)
  const element = useRef<HTMLFormElement>(null)
  const { draft, faults: own } = draftOf(values)
  const saving = useSubmission(
    () => {
      if (!draft) throw new Error('O formulário tem campos por corrigir.')
      return save(draft)
    },
    (answer) => {
      refreshAfter(client, kind.entity)
      onSaved(answer)
    },
  )
  const focusFault = useFaultFocus(element, saving.faults)
  const part: PartProps<V> = {
    values,
    set: (changes) => {
      saving.forget()
      setValues((before) => ({ ...before, ...changes }))
    },
    faults: { ...saving.faults, ...(isSubmitted ? own : {}) },
  }
  const submit = () => {
    setSubmitted(true)
    if (Object.keys(own).length === 0) saving.submit()
    else focusFault()
  }
  return { label: kind.texts.title, part, saving, element, submit }
}

interface DeliveryFormProps {
  form: Omit<ReturnType<typeof useDeliveryForm>, 'part'>
  /** Label of the button. */
  submit: string
  /** An error of what the form has no field for. */
  problem: string | undefined
  onCancel: () => void
  children: ReactNode
}

export const DeliveryForm = ({ form, submit, problem, onCancel, children }: DeliveryFormProps) => {
  const { label, saving, element } = form
  return (
    <Form ref={element} onSubmit={form.submit} className={classes.form} autoComplete="off" aria-label={label}>
      {children}
      <ErrorAlert error={saving.problem ?? problem} />
      {saving.error instanceof ApiProblem && saving.error.status === 412 && (
        <p className={classes.hint}>Feche e abra de novo para ver o que está gravado agora.</p>
      )}
      <FormAnswers submit={submit} isPending={saving.isPending} onCancel={onCancel} />
    </Form>
  )
}

/** A part of a form, with its heading. */
export const FormPart = ({ title, children }: { title: string; children: ReactNode }) => (
  <fieldset className={classes.part}>
    <legend className={shared.heading}>{title}</legend>
    {children}
  </fieldset>
)
