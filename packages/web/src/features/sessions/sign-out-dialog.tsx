import { Button, Group, Modal } from '@mantine/core'
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
  <Modal
    opened={opened}
    onClose={onClose}
    onExitTransitionEnd={onClosed}
    returnFocus={false}
    title="Deseja mesmo deslogar?"
    centered
    withCloseButton={false}
  >
    <Group grow gap="sm" wrap="nowrap">
      <Button variant="default" onClick={onClose} data-autofocus>
        Não, cancelar
      </Button>
      <Button onClick={startSignOut}>Sim, deslogar</Button>
    </Group>
  </Modal>
)
