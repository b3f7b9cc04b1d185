import { Button, Group } from '@mantine/core'
import { Dialog } from '../../ui/dialog/dialog.tsx'
import { startSignOut } from './signing-out.tsx'

interface SignOutDialogProps {
  opened: boolean
  onClose: () => void
  /**
   * Called after the exit transition, to restore the focus: the menu entry that opened it is gone.
   */
  onClosed: () => void
}

export const SignOutDialog = ({ opened, onClose, onClosed }: SignOutDialogProps) => (
  <Dialog
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={false}
    title="Deseja mesmo deslogar?"
  >
    <Group grow gap="sm" wrap="nowrap">
      <Button variant="default" onClick={onClose} data-autofocus>
        Não, cancelar
      </Button>
      <Button onClick={startSignOut}>Sim, deslogar</Button>
    </Group>
  </Dialog>
)
