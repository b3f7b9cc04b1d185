import {
  ApiProblem,
  type Attachment,
  AttachmentDraft,
  type AttachmentType,
  attachmentsApi,
  type Beneficiary,
  fieldLabels,
  REQUIRED,
} from '@bi-manager/contract'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { isRetryable } from '../../lib/api/api.ts'
import { upload } from '../../lib/api/upload.ts'
import { useSubmission } from '../../lib/forms/use-submission.ts'
import { useSuccessClose } from '../../ui/dialog/use-success-close.ts'
import { useDraftByKey } from '../../ui/entity-form/use-draft.ts'
import { fileFault, typeOfFile } from './attachment-file.ts'
import { attachmentsKey } from './attachments-queries.ts'

interface AttachmentValues {
  titulo_anexo: string
  tipo_anexo: AttachmentType | ''
  descricao_anexo: string
}
export type AttachmentField = keyof AttachmentValues

/** A chosen file that cannot be sent; the previous file stays attached. It must be answered. */
export interface NotTaken {
  name: string
  fault: string
}

/** The draft that survives the end of the session, in memory only. */
interface Draft {
  values: AttachmentValues
  file: File | null
  notTaken: NotTaken | undefined
  isTypeChosen: boolean
}

const blank: AttachmentValues = { titulo_anexo: '', tipo_anexo: '', descricao_anexo: '' }

/** State and submission of the form 'Anexar arquivos'. */
export const useAttachmentForm = (beneficiary: Beneficiary | null) => {
  const queryClient = useQueryClient()
  const draft = useDraftByKey<Draft>('anexar-arquivos')
  const [values, setValues] = useState(draft.restored?.values ?? blank)
  const [file, setFile] = useState<File | null>(draft.restored?.file ?? null)
  const [isRestored, setRestored] = useState(draft.restored !== undefined)
  const [notTaken, setNotTaken] = useState(draft.restored?.notTaken)
  /** Number of the latest choice: reading the first bytes of an earlier file may finish later. */
  const choices = useRef(0)
  const [touched, setTouched] = useState<ReadonlySet<AttachmentField>>(new Set())
  const [isTypeChosen, setTypeChosen] = useState(draft.restored?.isTypeChosen ?? false)
  /** Sent share, 0 to 1; at 1 the server checks the file. */
  const [sent, setSent] = useState(0)
  const [outcome, setOutcome] = useState<'sent' | 'cancelled' | 'cancelled late'>()
  useSuccessClose(outcome === 'sent', () => setOutcome(undefined))
  const sending = useRef<AbortController>(undefined)
  useEffect(() => () => sending.current?.abort(), [])

  const { submit, isPending, error, faults, problem, forget } = useSubmission(
    async (): Promise<Attachment | undefined> => {
      const controller = new AbortController()
      sending.current = controller
      setSent(0)
      setOutcome(undefined)
      const { signal } = controller
      const input = {
        body: { ...(values as AttachmentDraft), id_beneficiario: beneficiary?.id_beneficiario },
        file: file ?? undefined,
      }
      return upload(attachmentsApi.create, input, { signal, onProgress: setSent }).catch((cause: unknown) => {
        if (signal.aborted) return undefined
        throw cause
      })
    },
    (attachment) => {
      // Also after a cancel, which may have been too late.
      void queryClient.invalidateQueries({ queryKey: attachmentsKey })
      if (!attachment) return
      setValues(blank)
      setFile(null)
      setTouched(new Set())
      setTypeChosen(false)
      setRestored(false)
      setNotTaken(undefined)
      setOutcome('sent')
    },
  )

  const isDirty = file !== null || notTaken !== undefined || Object.values(values).some(Boolean)
  draft.keep(isDirty ? { values, file, notTaken, isTypeChosen } : undefined)

  const clear = () => {
    forget()
    setOutcome(undefined)
  }
  const refusal = refusalOf(error)
  const missing = missingIn(values)
  const clash = file && values.tipo_anexo && clashOf(values.tipo_anexo, file)
  const isComplete = beneficiary !== null && Object.keys(missing).length === 0 && !clash
  const isValid = isComplete && !notTaken
  return {
    values,
    file,
    sent,
    isPending,
    outcome,
    /** An error of no field, or of the beneficiary, who is chosen outside the form. */
    problem: refusal ? undefined : (problem ?? faults.id_beneficiario),
    canRetry: isValid && error !== null && isRetryable(error),
    isDirty,
    isRestored,
    isValid,
    /** Portuguese sentence on what prevents sending; '' when nothing does. */
    missing: missingSentence(beneficiary, missing, notTaken),
    errorOf: (field: AttachmentField): string | undefined =>
      faults[field] ??
      (touched.has(field) ? missing[field] : undefined) ??
      (field === 'tipo_anexo' && clash ? clash : undefined),
    notTaken,
    fileError: faults.arquivo ?? refusal,
    change: <F extends AttachmentField>(field: F, value: AttachmentValues[F]) => {
      clear()
      setValues((before) => ({ ...before, [field]: value }))
      if (field === 'tipo_anexo') setTypeChosen(value !== '')
    },
    touch: (field: AttachmentField) => setTouched(new Set([...touched, field])),
    /** Replaces the attached file, unless the new one cannot be sent. */
    choose: async (next: File | null) => {
      choices.current += 1
      const choice = choices.current
      const fault = next ? await fileFault(next) : undefined
      if (choice !== choices.current) return
      clear()
      if (next) setNotTaken(fault ? { name: next.name, fault } : undefined)
      if (fault) return
      setFile(next)
      // The type follows the file until the user chooses one.
      if (!isTypeChosen) setValues((before) => ({ ...before, tipo_anexo: (next && typeOfFile(next)) ?? '' }))
    },
    submit,
    dropNotTaken: () => setNotTaken(undefined),
    /** Undefined where a file is attached, or something else is missing. */
    submitWithoutFile: isComplete && notTaken && !file ? submit : undefined,
    cancel: () => {
      setOutcome(sent < 1 ? 'cancelled' : 'cancelled late')
      sending.current?.abort()
    },
  }
}

export type AttachmentFormState = ReturnType<typeof useAttachmentForm>

/** Validates with the contract's schema, so that nothing is sent that the server would refuse. */
const missingIn = (values: AttachmentValues): Partial<Record<AttachmentField, string>> => {
  const { error } = AttachmentDraft.safeParse(values)
  return Object.fromEntries((error?.issues ?? []).map(({ path, message }) => [path[0], message]))
}

const missingSentence = (
  beneficiary: Beneficiary | null,
  missing: Partial<Record<string, string>>,
  notTaken: NotTaken | undefined,
): string => {
  const fields = Object.keys(blank).filter((field) => missing[field] === REQUIRED)
  const names = [...(beneficiary ? [] : ['Beneficiário']), ...fields.map((field) => fieldLabels[field])]
  if (names.length > 0) return `Para enviar, falta: ${names.join(', ')}.`
  return notTaken ? `Para enviar, tire o arquivo ${notTaken.name} ou escolha outro.` : ''
}

const clashOf = (type: AttachmentType, file: File): string | undefined =>
  typeOfFile(file) === type
    ? undefined
    : type === 'IMG'
      ? 'O arquivo escolhido é um PDF. Escolha o tipo PDF ou troque o arquivo.'
      : 'O arquivo escolhido é uma imagem. Escolha o tipo IMG ou troque o arquivo.'

/** Returns the server's refusal of the file's content. */
const refusalOf = (error: unknown): string | undefined =>
  error instanceof ApiProblem && ['arquivo_recusado', 'arquivo_grande_demais'].includes(error.codigo)
    ? error.message
    : undefined
