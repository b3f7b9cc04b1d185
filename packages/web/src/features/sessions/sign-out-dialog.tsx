import { Button, Group, Modal } from '@mantine/core'
import { startLeaving } from './signing-out.tsx'

interface SignOutDialogProps {
  opened: boolean
  onClose: () => void
}

export const SignOutDialog = ({ opened, onClose }: SignOutDialogProps) => (
  <Modal opened={opened} onClose={onClose} title="Deseja mesmo deslogar?" centered withCloseButton={false}>
    <Group grow gap="sm" wrap="nowrap">
      <Button variant="default" onClick={onClose} data-autofocus>
        Não, cancelar
      </Button>
      <Button onClick={startLeaving}>Sim, deslogar</Button>
    </Group>
  </Modal>
)
