import { ApiProblem, MISSING } from '@bi-manager/contract'
import { useMutation } from '@tanstack/react-query'
import { type ChangeEvent, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { useMessageFor } from '../use-message-for.ts'
import { type FieldValues, isEmpty, isSame } from './field-values.ts'
import { useDraft } from './use-draft.ts'

export interface RecordFormOptions<V extends FieldValues, R extends { versao: number }> {
  /** The loaded record (RecordPage); undefined creates a new one. */
  record: R | undefined
  /** Returns the form's values for a record, or the blank form's for undefined. */
  valuesOf: (record: R | undefined) => V
  /** Fields that must not be empty. While editing, null in a secret field counts as filled. */
  required: readonly (keyof V & string)[]
  /** Fields whose null means 'unchanged' (SecretField). */
  secrets?: readonly (keyof V & string)[]
  /** Duration of the required-field message: 3000 or 4000 ms. */
  requiredMs: number
  /** Distinguishes its draft from other forms at the same address; a dialog includes its record. */
  scope?: string
  /** Creates (base undefined) or updates (send `ifMatch: base.versao`). */
  save: (values: V, base: R | undefined) => Promise<R>
  /** Reloads the record after another user changed it (412). */
  reload: (base: R) => Promise<R>
  /** Called after saving: invalidate the lists that show the record. */
  onSaved?: (saved: R) => void
}

export interface Conflict<R> {
  /** Who changed what, in a sentence. */
  message: string
  current: R
}

export interface RecordForm<V extends FieldValues, R extends { versao: number }> {
  values: V
  errors: Partial<Record<string, string>>
  /** The record that the values are based on; undefined while creating. */
  base: R | undefined
  /** The values when the record was opened, to detect changes. */
  opened: V
  valuesOf: (record: R | undefined) => V
  isDirty: boolean
  /** The values come from a draft. */
  isRestored: boolean
  set: <K extends keyof V & string>(name: K, value: V[K]) => void
  setError: (name: keyof V & string, message: string | undefined) => void
  /** For TextInput, Textarea, PasswordInput. */
  text: (name: KeysOf<V, string>) => TextProps
  /** For inputs whose onChange receives the value: SearchSelect, SecretField, SegmentedControl. */
  field: <K extends keyof V & string>(name: K) => FieldProps<V[K]>
  /** For Checkbox and Switch. */
  check: (name: KeysOf<V, boolean>) => CheckProps
  submit: () => void
  isSaving: boolean
  saved: { record: R; isNew: boolean } | undefined
  /** The required-field message is on the screen. */
  isMissing: boolean
  /** The error for the alert above the buttons. */
  problem: string | undefined
  conflict: Conflict<R> | undefined
  resolve: (values: V) => void
  dismissConflict: () => void
  /** Resets to a blank form ('Cadastrar +1'). */
  startBlank: () => void
  /** Number of failed attempts; after each the form focuses the first faulty field. */
  attempts: number
  /** Number of blank forms started; each remounts the fields, which hides revealed secrets. */
  blanks: number
}

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string

interface FieldProps<T> {
  name: string
  value: T
  onChange: (value: T) => void
  error: string | undefined
}
interface TextProps extends Omit<FieldProps<string>, 'onChange'> {
  onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) => void
}
interface CheckProps {
  name: string
  checked: boolean
  onChange: (event: ChangeEvent<HTMLInputElement>) => void
  error: string | undefined
}

interface Draft<V, R> {
  values: V
  base: R | undefined
}

/** Holds the state and rules of a create-or-edit form; RecordForm renders its frame. */
export const useRecordForm = <V extends FieldValues, R extends { versao: number }>(
  options: RecordFormOptions<V, R>,
): RecordForm<V, R> => {
  const { valuesOf, required, secrets = [], requiredMs, save, reload, onSaved } = options
  const draft = useDraft<Draft<V, R>>(options.scope ?? (options.record ? 'cadastro' : 'novo'))
  const [base, setBase] = useState(() => (draft.restored ? draft.restored.base : options.record))
  const [values, setValues] = useState(() => draft.restored?.values ?? valuesOf(options.record))
  const [opened, setOpened] = useState(() => valuesOf(base))
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [isMissing, showMissing] = useMessageFor(requiredMs)
  const [problem, setProblem] = useState<string>()
  const [conflict, setConflict] = useState<Conflict<R>>()
  const [saved, setSaved] = useState<{ record: R; isNew: boolean }>()
  const [attempts, setAttempts] = useState(0)
  const [blanks, setBlanks] = useState(0)
  const isDirty = saved === undefined && !isSameValues(values, opened)
  draft.keep(isDirty ? { values, base } : undefined)

  const saving = useMutation({
    mutationFn: (attempt: Draft<V, R>) => save(attempt.values, attempt.base),
    networkMode: 'always',
    // The values may contain a password.
    gcTime: 0,
    onSuccess: (record, attempt) => {
      setSaved({ record, isNew: attempt.base === undefined })
      setConflict(undefined)
      onSaved?.(record)
    },
    onError: async (error, { base: tried }) => {
      if (error instanceof ApiProblem && error.status === 412 && tried) {
        try {
          setConflict({ message: error.message, current: await reload(tried) })
        } catch (failure) {
          setConflict(undefined)
          setProblem(`${error.message} ${messageOf(failure)}`)
        }
        return
      }
      setConflict(undefined)
      const faults = error instanceof ApiProblem ? error.campos : {}
      setErrors(faults)
      setProblem(problemText(error, faults, values))
      setAttempts((count) => count + 1)
    },
  })

  const set = <K extends keyof V & string>(name: K, value: V[K]) => {
    setValues((before) => ({ ...before, [name]: value }))
    setErrors(({ [name]: _, ...others }) => others)
  }

  const submit = () => {
    if (saving.isPending || saved) return
    setProblem(undefined)
    const kept = (name: keyof V & string) =>
      base !== undefined && secrets.includes(name) && values[name] === null
    const missing = required.filter((name) => isEmpty(values[name]) && !kept(name))
    setErrors(Object.fromEntries(missing.map((name) => [name, MISSING])))
    if (missing.length === 0) return saving.mutate({ values, base })
    showMissing()
    setAttempts((count) => count + 1)
  }

  const rebase = (record: R | undefined, next: V) => {
    setBase(record)
    setOpened(valuesOf(record))
    setValues(next)
    setErrors({})
    setProblem(undefined)
  }

  return {
    values,
    errors,
    base,
    opened,
    valuesOf,
    isDirty,
    isRestored: draft.restored !== undefined && saved === undefined && blanks === 0,
    set,
    setError: (name, message) => setErrors((before) => ({ ...before, [name]: message })),
    text: (name) => ({
      name,
      value: String(values[name]),
      onChange: (event) => set(name, event.currentTarget.value as V[typeof name]),
      error: errors[name],
    }),
    field: (name) => ({
      name,
      value: values[name],
      onChange: (value) => set(name, value),
      error: errors[name],
    }),
    check: (name) => ({
      name,
      checked: values[name] === true,
      onChange: (event) => set(name, event.currentTarget.checked as V[typeof name]),
      error: errors[name],
    }),
    submit,
    isSaving: saving.isPending,
    saved,
    isMissing,
    problem,
    conflict,
    resolve: (next) => {
      if (!conflict) return
      rebase(conflict.current, next)
      if (isSameValues(next, valuesOf(conflict.current))) setConflict(undefined)
      else saving.mutate({ values: next, base: conflict.current })
    },
    dismissConflict: () => setConflict(undefined),
    startBlank: () => {
      setSaved(undefined)
      saving.reset()
      setBlanks((count) => count + 1)
      rebase(undefined, valuesOf(undefined))
    },
    attempts,
    blanks,
  }
}

const isSameValues = <V extends FieldValues>(a: V, b: V): boolean =>
  (Object.keys(a) as (keyof V)[]).every((name) => isSame(a[name], b[name]))

/** Returns the alert's text: errors of the form's own fields are shown there, not in the alert. */
const problemText = (error: unknown, faults: Record<string, string>, values: object): string | undefined => {
  const names = Object.keys(faults)
  const elsewhere = names.filter((name) => !(name in values)).map((name) => faults[name])
  if (names.length === 0) return messageOf(error)
  // A conflict error of one field has the same sentence at that field.
  if (elsewhere.length === 0 && Object.values(faults).includes(messageOf(error))) return undefined
  return [messageOf(error), ...elsewhere].join(' ')
}
