import { Button, Loader, Modal, VisuallyHidden } from '@mantine/core'
import { IconCircleCheck } from '@tabler/icons-react'
import type { ReactNode } from 'react'
import classes from '../dialog.module.css'
import shared from '../shared.module.css'

interface SaveDialogProps<R> {
  isSaving: boolean
  saved: { record: R; isNew: boolean } | undefined
  texts: { created: string; updated: string }
  afterSave: ((saved: R, isNew: boolean) => ReactNode) | undefined
  onClose: () => void
  onAnother: () => void
}

/** Shows the saving state, then 'cadastrado!' or 'editado!' with the next actions. */
export const SaveDialog = <R,>({
  isSaving,
  saved,
  texts,
  afterSave,
  onClose,
  onAnother,
}: SaveDialogProps<R>) => {
  const title = saved ? (saved.isNew ? texts.created : texts.updated) : 'Gravando…'
  return (
    <Modal
      opened={isSaving || saved !== undefined}
      onClose={() => saved && !isCovered() && onClose()}
      title={
        <span className={classes.title}>
          {saved && <IconCircleCheck size={26} stroke={1.8} aria-hidden className={shared.successIcon} />}
          {title}
        </span>
      }
      size={afterSave ? '34rem' : 'md'}
      centered
      withCloseButton={false}
      closeOnClickOutside={false}
    >
      {saved ? (
        <>
          <VisuallyHidden role="status">{title}</VisuallyHidden>
          <div className={classes.buttons}>
            {afterSave?.(saved.record, saved.isNew)}
            {saved.isNew && (
              <Button variant="default" onClick={onAnother}>
                Cadastrar +1
              </Button>
            )}
            <Button onClick={onClose} ref={focusOnMount}>
              Fechar
            </Button>
          </div>
        </>
      ) : (
        <div role="status" className={classes.waiting}>
          <Loader size="sm" aria-hidden />
          Aguarde um instante.
        </div>
      )}
    </Modal>
  )
}

/** Esc reaches every open dialog; a dialog that `afterSave` opened on top handles it alone. */
const isCovered = () => document.querySelectorAll('[role="dialog"]').length > 1

const focusOnMount = (button: HTMLButtonElement | null) => button?.focus()
