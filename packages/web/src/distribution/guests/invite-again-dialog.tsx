import { type Guest, guestsApi } from '@bi-manager/contract'
import { Text } from '@mantine/core'
import { call } from '../../lib/api/api.ts'
import { useExclusiveMutation } from '../../lib/api/use-exclusive-mutation.ts'
import { Button } from '../../ui/button.tsx'
import classes from '../../ui/dialog/dialog.module.css'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { FormAnswers } from '../../ui/dialog/form-answers.tsx'
import { useDialogTarget } from '../../ui/dialog/use-dialog-target.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { Form } from '../../ui/form.tsx'
import { focusOnMount, restoreFocusAfterDialog } from '../../ui/page-focus.ts'
import shared from '../../ui/shared.module.css'

interface InviteAgainProps {
  /** Undefined closes the dialog. */
  guest: Guest | undefined
  onClose: () => void
}

/** Sends the e-mail of an invitation again. */
export const InviteAgainDialog = ({ guest, onClose }: InviteAgainProps) => {
  const { shown } = useDialogTarget(guest)
  const { mutate, isPending, isSuccess, error, reset } = useExclusiveMutation({
    mutationFn: (id: number) => call(guestsApi.inviteAgain, { params: { id } }),
    gcTime: 0,
  })
  return (
    <Dialog
      opened={guest !== undefined}
      onClose={() => !isPending && onClose()}
      onExitTransitionEnd={() => {
        reset()
        restoreFocusAfterDialog()
      }}
      isDone={isSuccess}
      title={isSuccess ? 'Convite enviado!' : 'Enviar o convite de novo?'}
    >
      {shown && (
        <Text size="sm" className={shared.breakable}>
          <strong>{shown.emailConvidado}</strong>
        </Text>
      )}
      {isSuccess ? (
        <div className={classes.buttons}>
          <Button onClick={onClose} ref={focusOnMount}>
            Fechar
          </Button>
        </div>
      ) : (
        <Form onSubmit={() => shown && mutate(shown.idConvidado)} aria-label="Enviar o convite de novo">
          <ErrorAlert error={error} mt="sm" />
          <Text size="sm" c="dimmed" mt={4}>
            O endereço do convite continua o mesmo.
          </Text>
          <FormAnswers submit="Enviar" isPending={isPending} onCancel={onClose} />
        </Form>
      )}
    </Dialog>
  )
}
