import { ApiProblem, COMMENT_LENGTH } from '@bi-manager/contract'
import { ActionIcon, Textarea } from '@mantine/core'
import { IconAt } from '@tabler/icons-react'
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { messageOf } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { draftOf, dropDrafts, keepDraft } from '../../lib/forms/form-drafts.ts'
import { useAskBeforeUnload } from '../../lib/forms/use-ask-before-unload.ts'
import { currentSession } from '../../lib/session/session.ts'
import { ActionButton } from '../../ui/action-button.tsx'
import { Form } from '../../ui/form.tsx'
import shared from '../../ui/shared.module.css'
import { callFailureSentence } from '../viewer/problems/embed-problem.ts'
import classes from './comments.module.css'
import { MentionPicker, useMentionPicker } from './mention-picker.tsx'
import { type CommentDraft, emptyDraft, storedText } from './mention-text.ts'

interface CommentFormProps {
  idRelatorio: number
  /** What is written: 'novo', 'resposta:12' or 'edicao:12'. Its draft stays when the form goes. */
  subject: string
  label: string
  hideLabel?: boolean
  placeholder?: string
  /** A sentence below the field. */
  description?: string
  /** The text of the button that sends. */
  action: string
  /** The text to edit. */
  initial?: CommentDraft
  autoFocus?: boolean
  /** Returns a sentence on what was done. */
  send: (texto: string) => Promise<string>
  onSent: (sentence: string) => void
  onCancel?: () => void
}

/** Writes a comment, a reply or an edit. The text stays until it is sent or cancelled. */
export const CommentForm = (props: CommentFormProps) => {
  const { idRelatorio, subject, label, hideLabel = false, placeholder, description, action } = props
  const { initial = emptyDraft, autoFocus = false, send, onSent, onCancel } = props
  const { draft, setDraft, drop } = useCommentDraft(`comentario:${idRelatorio}:${subject}`, initial)
  // The draft survives navigation within the portal, but not the closing of the tab.
  useAskBeforeUnload(draft.texto !== initial.texto)
  const [isEmpty, setEmpty] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { mutate, isPending, error, reset } = useExclusiveMutation({
    mutationFn: () => send(storedText(draft)),
    onSuccess: (sentence) => {
      drop()
      onSent(sentence)
    },
    onError: () => field.current?.focus(),
  })
  const change = (next: CommentDraft) => {
    setDraft(next)
    setEmpty(false)
    if (error) reset()
  }
  const picker = useMentionPicker({ idRelatorio, draft, field, onChange: change })
  useEffect(() => {
    if (autoFocus) field.current?.focus()
  }, [autoFocus])
  // The caret of an edited text belongs at its end.
  useLayoutEffect(() => field.current?.setSelectionRange(draftEnd, draftEnd), [])

  const submit = () => {
    const isBlank = draft.texto.trim() === ''
    setEmpty(isBlank)
    if (isBlank) field.current?.focus()
    else mutate()
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      event.preventDefault()
      submit()
    }
    if (event.key === 'Escape' && onCancel && !event.defaultPrevented) {
      event.stopPropagation()
      cancel()
    }
  }
  const cancel = () => {
    drop()
    onCancel?.()
  }

  return (
    <Form className={shared.stackXs} onSubmit={submit} autoComplete="off">
      <MentionPicker picker={picker}>
        <Textarea
          ref={field}
          label={hideLabel ? undefined : label}
          aria-label={hideLabel ? label : undefined}
          placeholder={placeholder}
          description={description}
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          autosize
          minRows={2}
          maxRows={8}
          maxLength={COMMENT_LENGTH}
          value={draft.texto}
          error={isEmpty ? 'Escreva o comentário.' : error && faultOf(error)}
          onChange={({ currentTarget }) => change({ ...draft, texto: currentTarget.value })}
          onSelect={picker.handleSelect}
          onBlur={picker.close}
          onKeyDown={(event) => {
            if (!picker.handleKeyDown(event)) handleKeyDown(event)
          }}
        />
      </MentionPicker>
      <div className={classes.formButtons}>
        <ActionIcon size="lg" aria-label="Mencionar uma pessoa" onClick={picker.begin}>
          <IconAt size={18} stroke={1.7} aria-hidden />
        </ActionIcon>
        <span className={shared.fills} />
        {onCancel && <ActionButton label="Cancelar" size="xs" onClick={cancel} />}
        <ActionButton isMain type="submit" label={action} size="xs" loading={isPending} />
      </div>
    </Form>
  )
}

/** Beyond any text. */
const draftEnd = 1_000_000

/** The typed text, kept in memory while its form is closed. */
const useCommentDraft = (key: string, initial: CommentDraft) => {
  const person = currentSession()?.usuario_id ?? 0
  const [draft, setDraft] = useState(() => draftOf<CommentDraft>(key, person) ?? initial)
  return {
    draft,
    setDraft: (next: CommentDraft) => {
      setDraft(next)
      keepDraft(key, person, next)
    },
    drop: () => {
      dropDrafts(key, person)
      setDraft(initial)
    },
  }
}

const faultOf = (error: Error): string => {
  if (!(error instanceof ApiProblem)) return callFailureSentence(error)
  return error.campos.texto ?? messageOf(error)
}
