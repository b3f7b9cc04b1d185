import { Group, Loader, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { type ReactNode, Suspense, useState } from 'react'

interface CsvDialogProps {
  opened: boolean
  onClose: () => void
  /** 'Importar usuários' */
  title: string
  /** The steps; `onHold` prevents closing. May be lazy: the dialog suspends. */
  children: (onHold: (isHeld: boolean) => void) => ReactNode
}

/** 'Importar CSV': choose a file, review all faults, import all or nothing. */
export const CsvDialog = ({ opened, onClose, title, children }: CsvDialogProps) => {
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
    </Modal>
  )
}
