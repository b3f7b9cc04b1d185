import { Group, Loader, VisuallyHidden } from '@mantine/core'
import type { ReactNode } from 'react'
import { ActionButton } from '../action-button.tsx'
import classes from '../dialog/dialog.module.css'
import { Dialog } from '../dialog/dialog.tsx'
import { useSuccessClose } from '../dialog/use-success-close.ts'
import { focusOnMount } from '../page-focus.ts'

interface SaveDialogProps<R> {
  isSaving: boolean
  saved: { entity: R; isNew: boolean } | undefined
  texts: { created: string; updated: string }
  /** Returns more buttons for the saved entity. */
  afterSave: ((saved: R, isNew: boolean) => ReactNode) | undefined
  onClose: () => void
  /** Opens an empty form for another entity. */
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
  const close = () => saved && !isCovered() && onClose()
  // A dialog with more buttons than 'Fechar' does not close by itself.
  useSuccessClose(saved && !saved.isNew && !afterSave, close)
  const title = saved ? (saved.isNew ? texts.created : texts.updated) : 'Gravando…'
  return (
    <Dialog
      opened={isSaving || saved !== undefined}
      onClose={close}
      isDone={saved !== undefined}
      title={title}
      size={afterSave ? '34rem' : 'md'}
      closeOnClickOutside={false}
    >
      {saved ? (
        <>
          <VisuallyHidden role="status">{title}</VisuallyHidden>
          <div className={classes.buttons}>
            {afterSave?.(saved.entity, saved.isNew)}
            {saved.isNew && <ActionButton label="Cadastrar +1" onClick={onAnother} />}
            <ActionButton ref={focusOnMount} isMain label="Fechar" onClick={onClose} />
          </div>
        </>
      ) : (
        <Group role="status" gap="0.875rem" pt={8} pb="sm">
          <Loader size="sm" aria-hidden />
          Aguarde um instante.
        </Group>
      )}
    </Dialog>
  )
}

/**
 * Returns whether `afterSave` opened a dialog on top: Esc reaches both, and must close that one.
 */
const isCovered = () => document.querySelectorAll('[role="dialog"]').length > 1
