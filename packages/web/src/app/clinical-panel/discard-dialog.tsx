import { Button, Modal, Text } from '@mantine/core'
import dialog from '../../ui/dialog.module.css'

interface DiscardDialogProps {
  opened: boolean
  onStay: () => void
  onDiscard: () => void
}

/** Asks before the input in the panel is discarded. */
export const DiscardDialog = ({ opened, onStay, onDiscard }: DiscardDialogProps) => (
  <Modal opened={opened} onClose={onStay} title="Fechar sem registrar?" centered withCloseButton={false}>
    <Text size="sm">
      O que você preencheu ainda não foi registrado e será perdido. Para continuar depois, minimize o painel.
    </Text>
    <div className={dialog.answers}>
      <Button variant="default" onClick={onStay} data-autofocus>
        Continuar preenchendo
      </Button>
      <Button color="red" onClick={onDiscard}>
        Fechar e descartar
      </Button>
    </div>
  </Modal>
)
