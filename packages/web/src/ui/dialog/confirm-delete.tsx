import { ApiProblem, REQUIRED } from '@bi-manager/contract'
import { Text, Textarea, VisuallyHidden } from '@mantine/core'
import { useEffect, useRef, useState } from 'react'
import { isRetryable } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../button.tsx'
import { ErrorAlert } from '../error-alert.tsx'
import { focusOnMount, focusPageHeading } from '../page-focus.ts'
import shared from '../shared.module.css'
import { Blockers } from './blockers.tsx'
import classes from './dialog.module.css'
import { Dialog } from './dialog.tsx'
import { type Blocked, useBlockers } from './use-blockers.ts'
import { useDialogTarget } from './use-dialog-target.ts'
import { useSuccessClose } from './use-success-close.ts'

interface ConfirmDeleteProps<R> {
  /** The entity to delete; undefined closes the dialog. */
  target: R | undefined
  onClose: () => void
  /** 'Deseja mesmo excluir esse Workspace?' */
  question: string
  /** 'Workspace excluído!' */
  done: string
  /** Shown after the deletion, when it has further effects. */
  outcome?: string
  /** Returns the entity's name for the question. */
  nameOf: (entity: R) => string
  /** Entities of these kinds are deleted only when no others refer to them. */
  blocked?: Blocked<R>
  /** What is deleted along with the entity, when worth mentioning. */
  consequence?: string
  /** Label of the confirming button, when removal has another name: 'Sim, recusar'. */
  confirm?: string
  /** Title of the dialog after a failure. */
  failed?: string
  /** Asks for a required reason in a field with this label, of at most `maxLength` characters. */
  reason?: { label: string; maxLength: number }
  /** @param reason the typed reason where one is asked for, otherwise '' */
  remove: (entity: R, reason: string) => Promise<unknown>
  /** Called when the entity is gone: reload the list, invalidate caches. */
  onDeleted: (entity: R) => void
  /** Moves the focus after the row is removed; the default is the page's heading. */
  leadFocus?: () => void
}

/** Asks for confirmation, deletes, and shows the result. Stays open while the call runs. */
export const ConfirmDelete = <R,>(props: ConfirmDeleteProps<R>) => {
  const { target, onClose, question, done, outcome, nameOf, consequence, remove, onDeleted } = props
  const { confirm = 'Sim, excluir', failed = 'Não foi possível excluir', reason } = props
  const { leadFocus = focusPageHeading, blocked } = props
  const [why, setWhy] = useState('')
  const [isWhyMissing, setWhyMissing] = useState(false)
  const field = useRef<HTMLTextAreaElement>(null)
  const { mutate, isPending, isSuccess, error, reset } = useExclusiveMutation({
    mutationFn: (entity: R) => remove(entity, why.trim()),
    // The deleted entity may hold personal data.
    gcTime: 0,
    onSuccess: (_, entity) => onDeleted(entity),
    onError: (failure, entity) => isGone(failure) && onDeleted(entity),
  })
  const { shown } = useDialogTarget(target)
  // What follows from the removal is read at leisure.
  useSuccessClose(isSuccess && target !== undefined && !outcome, onClose)
  const { groups, isAsking } = useBlockers(blocked, target, { isDeleting: isPending || isSuccess })
  const isBlocked = groups.length > 0 && !isSuccess && !error
  const trigger = useRef<Element | null>(null)
  const opened = target !== undefined
  useEffect(() => {
    if (!opened) return
    trigger.current = document.activeElement
    setWhy('')
    setWhyMissing(false)
  }, [opened])

  const handleConfirmed = () => {
    const isMissing = reason !== undefined && why.trim() === ''
    setWhyMissing(isMissing)
    if (isMissing) field.current?.focus()
    else if (shown !== undefined) mutate(shown)
  }

  const handleClosed = () => {
    reset()
    if (trigger.current instanceof HTMLElement && trigger.current.isConnected) trigger.current.focus()
    else leadFocus()
  }

  return (
    <Dialog
      opened={opened}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={handleClosed}
      returnFocus={false}
      isDone={isSuccess}
      title={isSuccess ? done : error ? failed : isBlocked ? 'Não é possível excluir' : question}
    >
      {shown !== undefined && (
        <Text size="sm" className={shared.breakable}>
          <strong>{nameOf(shown)}</strong>
        </Text>
      )}
      {isSuccess ? (
        <div role="status">
          <VisuallyHidden>{done}</VisuallyHidden>
          {outcome && (
            <Text size="sm" mt={4}>
              {outcome}
            </Text>
          )}
        </div>
      ) : isBlocked && blocked && shown !== undefined ? (
        <Blockers entity={blocked.by} id={blocked.idOf(shown)} groups={groups} />
      ) : error ? (
        <ErrorAlert error={error} mt="sm" />
      ) : (
        consequence && (
          <Text size="sm" c="dimmed" mt={4}>
            {consequence}
          </Text>
        )
      )}
      {reason && !isSuccess && !(error && !isRetryable(error)) && (
        // Without this, browsers store the field's text on disk with their session.
        <form autoComplete="off" onSubmit={(event) => event.preventDefault()}>
          <Textarea
            ref={field}
            label={reason.label}
            maxLength={reason.maxLength}
            autosize
            minRows={2}
            maxRows={5}
            mt="md"
            required
            data-autofocus
            disabled={isPending}
            value={why}
            onChange={(event) => {
              setWhy(event.currentTarget.value)
              setWhyMissing(false)
            }}
            error={isWhyMissing && REQUIRED}
          />
        </form>
      )}
      <div className={isSuccess ? classes.buttons : classes.answers}>
        {isSuccess || isBlocked || (error && !isRetryable(error)) ? (
          <Button key="close" onClick={onClose} ref={focusOnMount}>
            Fechar
          </Button>
        ) : (
          <>
            <Button
              key="cancel"
              variant="default"
              onClick={onClose}
              disabled={isPending}
              data-autofocus={!reason || undefined}
            >
              {error ? 'Fechar' : 'Não, cancelar'}
            </Button>
            <Button key="confirm" color="red" loading={isPending || isAsking} onClick={handleConfirmed}>
              {error ? 'Tentar novamente' : confirm}
            </Button>
          </>
        )}
      </div>
    </Dialog>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404
