import { Group, Loader, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Suspense, useState } from 'react'
import { LeaveDialog } from '../entity-form/leave-dialog.tsx'

interface CsvDialogProps {
  opened: boolean
  onClose: () => void
  /** 'Importar usuários' */
  title: string
  /** What is lost when the page is left: 'o resultado' */
  lost: string
  /**
   * The steps. `onHold` prevents closing the dialog, and leaving the page without a question. May be
   * lazy: the dialog suspends.
   */
  children: (onHold: (isHeld: boolean) => void) => ReactNode
}

/** 'Importar CSV': choose a file, review all faults, import all or nothing. */
export const CsvDialog = ({ opened, onClose, title, lost, children }: CsvDialogProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  /** True during the import, and while the screen shows data that is not shown again. */
  const [isHeld, setHeld] = useState(false)
  return (
    <Modal
      opened={opened}
      onClose={() => !isHeld && onClose()}
      title={title}
      size="52rem"
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      withCloseButton={!isHeld}
      closeButtonProps={{ 'aria-label': 'Fechar a importação' }}
    >
      <Suspense
        fallback={
          <Group gap="sm" my="1em" role="status">
            <Loader size="sm" aria-hidden /> Carregando…
          </Group>
        }
      >
        {children(setHeld)}
      </Suspense>
      <LeaveDialog
        isDirty={isHeld}
        ignoresSearch
        hasNoDraft
        texts={{
          title: 'Sair da importação?',
          text: `O que foi enviado continua valendo, mas ${lost} só aparece nesta janela.`,
          stay: 'Continuar aqui',
          leave: 'Sair assim mesmo',
        }}
      />
    </Modal>
  )
}
