import { ApiProblem } from '@bi-manager/contract'
import { Alert, Button, Modal, Text } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { messageOf } from '../lib/api.ts'
import classes from './dialog.module.css'
import { focusPageHeading } from './page-focus.ts'

interface ConfirmDeleteProps<R> {
  /** What to delete; undefined closes the dialog. */
  target: R | undefined
  onClose: () => void
  /** 'Deseja mesmo excluir esse Workspace?' */
  question: string
  /** 'Workspace excluído!' */
  done: string
  /** What happens now, where its being gone is not all. */
  outcome?: string
  /** Names what is about to go. */
  nameOf: (record: R) => string
  /** What goes with it, where that is worth saying. */
  consequence?: string
  /** Where removing has another name: 'Sim, recusar'. */
  confirm?: string
  /** What the dialog is called when it failed. */
  failed?: string
  remove: (record: R) => Promise<unknown>
  /** It is gone (by us, or it was already): start the list over, invalidate what showed it. */
  onDeleted: (record: R) => void
}

/** Asks, deletes, tells. Nothing closes while the call runs; what the server refuses is explained here. */
export const ConfirmDelete = <R,>(props: ConfirmDeleteProps<R>) => {
  const { target, onClose, question, done, outcome, nameOf, consequence, remove, onDeleted } = props
  const { confirm = 'Sim, excluir', failed = 'Não foi possível excluir' } = props
  const { mutate, isPending, isSuccess, error, reset } = useMutation({
    mutationFn: remove,
    networkMode: 'always',
    onSuccess: (_, record) => onDeleted(record),
    onError: (failure, record) => isGone(failure) && onDeleted(record),
  })
  const shown = useLast(target)
  const trigger = useRef<Element | null>(null)
  const opened = target !== undefined
  useEffect(() => {
    if (opened) trigger.current = document.activeElement
  }, [opened])

  const handleClosed = () => {
    reset()
    if (trigger.current instanceof HTMLElement && trigger.current.isConnected) trigger.current.focus()
    else focusPageHeading()
  }

  return (
    <Modal
      opened={opened}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={handleClosed}
      returnFocus={false}
      title={
        <span className={classes.title}>
          {isSuccess && <IconCircleCheck size={26} stroke={1.8} aria-hidden className={classes.check} />}
          {isSuccess ? done : error ? failed : question}
        </span>
      }
      centered
      withCloseButton={false}
    >
      {shown !== undefined && (
        <Text size="sm" className={classes.subject}>
          <strong>{nameOf(shown)}</strong>
        </Text>
      )}
      {isSuccess ? (
        <div role="status">
          <span className={classes.forReaders}>{done}</span>
          {outcome && (
            <Text size="sm" mt={4}>
              {outcome}
            </Text>
          )}
        </div>
      ) : error ? (
        <Alert color="red" role="alert" mt="sm">
          {messageOf(error)}
        </Alert>
      ) : (
        consequence && (
          <Text size="sm" c="dimmed" mt={4}>
            {consequence}
          </Text>
        )
      )}
      <div className={isSuccess ? classes.buttons : classes.answers}>
        {isSuccess || (error && !isWorthRepeating(error)) ? (
          <Button key="close" onClick={onClose} ref={focusOnMount}>
            Fechar
          </Button>
        ) : (
          <>
            <Button key="cancel" variant="default" onClick={onClose} disabled={isPending} data-autofocus>
              {error ? 'Fechar' : 'Não, cancelar'}
            </Button>
            <Button
              key="confirm"
              color="red"
              loading={isPending}
              onClick={() => shown !== undefined && mutate(shown)}
            >
              {error ? 'Tentar novamente' : confirm}
            </Button>
          </>
        )}
      </div>
    </Modal>
  )
}

const isGone = (error: unknown): boolean => error instanceof ApiProblem && error.status === 404

/** A refusal (dependants, the last administrator) stays one; a fault of the network or the server may pass. */
const isWorthRepeating = (error: unknown): boolean =>
  !(error instanceof ApiProblem) || error.status >= 500 || error.status === 429

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()

/** The latest value that was there: the dialog still shows it while it fades away. */
const useLast = <R,>(value: R | undefined): R | undefined => {
  const [last, setLast] = useState(value)
  if (value !== undefined && value !== last) setLast(value)
  return value ?? last
}
