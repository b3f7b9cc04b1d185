import {
  type Beneficiary,
  type ContentField,
  contentFields,
  type MedicalRecordDraft as Draft,
  fieldLabels,
  MedicalRecordDraft,
  medicalRecordsApi,
  REQUIRED,
} from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../lib/api/api.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { useDraftByKey } from '../../ui/entity-form/use-draft.ts'
import { refreshRecords } from './medical-records-queries.ts'

/** '' means nothing chosen or typed yet. */
type NewRecord = { [F in ContentField]: Draft[F] | '' }

const blank = Object.fromEntries(contentFields.map((field) => [field, ''])) as NewRecord

/**
 * State and submission of the form 'Registrar Prontuário'. The draft survives the session's end.
 */
export const useNewRecord = (beneficiary: Beneficiary | null) => {
  const queryClient = useQueryClient()
  const draft = useDraftByKey<NewRecord>('prontuario-novo')
  const [values, setValues] = useState(draft.restored ?? blank)
  const [isRestored, setRestored] = useState(draft.restored !== undefined)
  const [touched, setTouched] = useState<ReadonlySet<ContentField>>(new Set())
  const [isRegistered, setRegistered] = useState(false)
  const isDirty = contentFields.some((field) => values[field] !== '')
  draft.keep(isDirty ? values : undefined)

  const body = {
    nome_beneficiario: beneficiary?.nome_beneficiario ?? '',
    id_beneficiario: beneficiary?.id_beneficiario ?? '',
    ...values,
  }
  const parsed = MedicalRecordDraft.safeParse(body)
  const wrong = Object.fromEntries(
    (parsed.error?.issues ?? []).map(({ path, message }) => [String(path[0]), message]),
  )

  const { submit, isPending, faults, problem, forget } = useSubmission(
    () => call(medicalRecordsApi.create, { body: parsed.data ?? (body as Draft) }),
    () => {
      setValues(blank)
      setTouched(new Set())
      setRestored(false)
      setRegistered(true)
      void refreshRecords(queryClient)
    },
  )
  // Errors of values without a field in this form are shown above the button.
  const elsewhere = Object.entries(faults)
    .filter(([name]) => !(name in blank))
    .map(([, message]) => message)

  return {
    values,
    isDirty,
    isRestored,
    isPending,
    isRegistered,
    isValid: parsed.success,
    faults,
    problem: problem ?? (elsewhere.join(' ') || undefined),
    /** Portuguese sentence on what prevents sending; '' when nothing does. */
    missing: missingSentence(beneficiary, wrong),
    /** Returns a field's error; 'required' only for touched fields, other errors at once. */
    errorOf: (field: ContentField): string | undefined =>
      faults[field] ?? (touched.has(field) || wrong[field] !== REQUIRED ? wrong[field] : undefined),
    touch: (field: ContentField) => {
      // The dialog takes the focus from a field that was just emptied, which fires this blur.
      if (!isRegistered) setTouched((before) => new Set([...before, field]))
    },
    change: <F extends ContentField>(field: F, value: NewRecord[F]) => {
      forget()
      setValues((before) => ({ ...before, [field]: value }))
    },
    submit: () => {
      if (parsed.success) submit()
    },
    startAnother: () => setRegistered(false),
  }
}

const missingSentence = (beneficiary: Beneficiary | null, wrong: Record<string, string>): string => {
  const named = (isMissing: boolean) =>
    contentFields
      .filter((field) => wrong[field] && (wrong[field] === REQUIRED) === isMissing)
      .map((field) => fieldLabels[field])
  const missing = [...(beneficiary ? [] : ['Beneficiário']), ...named(true)]
  const faulty = named(false)
  return [
    missing.length > 0 && `Para registrar, falta: ${missing.join(', ')}.`,
    faulty.length > 0 && `Corrija: ${faulty.join(', ')}.`,
  ]
    .filter(Boolean)
    .join(' ')
}
