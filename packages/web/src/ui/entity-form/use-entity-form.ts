import { ApiProblem, MISSING } from '@bi-manager/contract'
import { type ChangeEvent, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { useMessageFor } from '../use-message-for.ts'
import { type FieldValues, isEmpty, isSame } from './field-values.ts'
import { useDraft } from './use-draft.ts'

interface EntityFormOptions<V extends FieldValues, R extends { versao: number }> {
  /** The loaded entity (EntityPage); undefined creates a new one. */
  entity: R | undefined
  /** Returns the form's values for an entity, or the blank form's for undefined. */
  valuesOf: (entity: R | undefined) => V
  /** Fields that must not be empty. While editing, null in a secret field counts as filled. */
  required: readonly (keyof V & string)[]
  /** Fields whose null means 'unchanged' (SecretField). */
  secrets?: readonly (keyof V & string)[]
  /** Duration of the required-field message: 4000 ms by default, 3000 where it is specified. */
  requiredMs?: number
  /** Distinguishes its draft from other forms at the same address; a dialog includes its entity. */
  scope?: string
  /** Creates (base undefined) or updates (send `ifMatch: base.versao`). */
  save: (values: V, base: R | undefined) => Promise<R>
  /** Reloads the entity after another user changed it (412). */
  reload: (base: R) => Promise<R>
  /** Called after saving: invalidate the lists that show the entity. */
  onSaved?: (saved: R) => void
}

interface Conflict<R> {
  /** Who changed what, in a sentence. */
  message: string
  current: R
}

type KeysOf<V, T> = { [K in keyof V]: V[K] extends T ? K : never }[keyof V] & string

interface Draft<V, R> {
  values: V
  base: R | undefined
}

/** Holds the state and rules of a create-or-edit form; EntityForm renders its frame. */
export const useEntityForm = <V extends FieldValues, R extends { versao: number }>(
  options: EntityFormOptions<V, R>,
) => {
  const { valuesOf, required, secrets = [], requiredMs = 4_000, save, reload, onSaved } = options
  const draft = useDraft<Draft<V, R>>(options.scope ?? (options.entity ? 'cadastro' : 'novo'))
  const [base, setBase] = useState(() => (draft.restored ? draft.restored.base : options.entity))
  const [values, setValues] = useState(() => draft.restored?.values ?? valuesOf(options.entity))
  const [opened, setOpened] = useState(() => valuesOf(base))
  const [errors, setErrors] = useState<Partial<Record<string, string>>>({})
  const [isMissing, showMissing] = useMessageFor(requiredMs)
  const [problem, setProblem] = useState<string>()
  const [conflict, setConflict] = useState<Conflict<R>>()
  const [saved, setSaved] = useState<{ entity: R; isNew: boolean }>()
  const [attempts, setAttempts] = useState(0)
  const [blanks, setBlanks] = useState(0)
  const isDirty = saved === undefined && !isSameValues(values, opened)
  draft.keep(isDirty ? { values, base } : undefined)

  const saving = useExclusiveMutation({
    mutationFn: (attempt: Draft<V, R>) => save(attempt.values, attempt.base),
    // The values may contain a password.
    gcTime: 0,
    onSuccess: (entity, attempt) => {
      setSaved({ entity, isNew: attempt.base === undefined })
      setConflict(undefined)
      onSaved?.(entity)
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

  const rebase = (entity: R | undefined, next: V) => {
    setBase(entity)
    setOpened(valuesOf(entity))
    setValues(next)
    setErrors({})
    setProblem(undefined)
  }

  return {
    values,
    errors,
    /** The entity that the values are based on; undefined while creating. */
    base,
    /** The values when the entity was opened, to detect changes. */
    opened,
    valuesOf,
    isDirty,
    /** The values come from a draft. */
    isRestored: draft.restored !== undefined && saved === undefined && blanks === 0,
    set,
    setError: (name: keyof V & string, message: string | undefined) =>
      setErrors((before) => ({ ...before, [name]: message })),
    /** For TextInput, Textarea, PasswordInput. */
    text: (name: KeysOf<V, string>) => ({
      name,
      value: String(values[name]),
      onChange: (event: ChangeEvent<HTMLInputElement | HTMLTextAreaElement>) =>
        set(name, event.currentTarget.value as V[typeof name]),
      error: errors[name],
    }),
    /**
     * For inputs whose onChange receives the value: SearchSelect, SecretField, SegmentedControl.
     */
    field: <K extends keyof V & string>(name: K) => ({
      name,
      value: values[name],
      onChange: (value: V[K]) => set(name, value),
      error: errors[name],
    }),
    /** For Checkbox and Switch. */
    check: (name: KeysOf<V, boolean>) => ({
      name,
      checked: values[name] === true,
      onChange: (event: ChangeEvent<HTMLInputElement>) =>
        set(name, event.currentTarget.checked as V[typeof name]),
      error: errors[name],
    }),
    submit,
    isSaving: saving.isPending,
    saved,
    /** The required-field message is on the screen. */
    isMissing,
    /** The error for the alert above the buttons. */
    problem,
    conflict,
    resolve: (next: V) => {
      if (!conflict) return
      rebase(conflict.current, next)
      if (isSameValues(next, valuesOf(conflict.current))) setConflict(undefined)
      else saving.mutate({ values: next, base: conflict.current })
    },
    dismissConflict: () => setConflict(undefined),
    /** Resets to a blank form ('Cadastrar +1'). */
    startBlank: () => {
      setSaved(undefined)
      saving.reset()
      setBlanks((count) => count + 1)
      rebase(undefined, valuesOf(undefined))
    },
    /** Number of failed attempts; after each the form focuses the first faulty field. */
    attempts,
    /** Number of blank forms started; each remounts the fields, which hides revealed secrets. */
    blanks,
  }
}

export type EntityForm<V extends FieldValues, R extends { versao: number }> = ReturnType<
  typeof useEntityForm<V, R>
>

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
