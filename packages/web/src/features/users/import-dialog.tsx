import { Loader, Modal } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { lazy, Suspense, useState } from 'react'
import classes from './import.module.css'

// The CSV reader comes with the dialog, not with the list.
const UserImport = lazy(() => import('./user-import.tsx').then((module) => ({ default: module.UserImport })))

interface ImportDialogProps {
  opened: boolean
  onClose: () => void
  onImported: () => void
}

/** 'Importar CSV': choose a file, see every fault before anything is written, import all or nothing. */
export const ImportDialog = ({ opened, onClose, onImported }: ImportDialogProps) => {
  const phone = useMediaQuery('(max-width: 63.99em)', undefined, { getInitialValueInEffect: false })
  /** While it writes, and while passwords that nobody will see again are on the screen. */
  const [isHeld, setHeld] = useState(false)
  return (
    <Modal
      opened={opened}
      onClose={() => !isHeld && onClose()}
      title="Importar usuários"
      size="52rem"
      fullScreen={phone ?? false}
      closeOnClickOutside={false}
      withCloseButton={!isHeld}
      closeButtonProps={{ 'aria-label': 'Fechar a importação' }}
    >
      <Suspense
        fallback={
          <p role="status" className={classes.loading}>
            <Loader size="sm" aria-hidden /> Carregando…
          </p>
        }
      >
        <UserImport onClose={onClose} onImported={onImported} onHold={setHeld} />
      </Suspense>
    </Modal>
  )
}
