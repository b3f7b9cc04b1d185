import { lazy } from 'react'
import { CsvDialog } from '../../ui/csv-import/csv-dialog.tsx'

// Lazy, so that the list does not load the CSV parser.
const UserImport = lazy(() => import('./user-import.tsx').then((module) => ({ default: module.UserImport })))

interface ImportDialogProps {
  opened: boolean
  onClose: () => void
  onImported: () => void
}

export const ImportDialog = ({ opened, onClose, onImported }: ImportDialogProps) => (
  <CsvDialog opened={opened} onClose={onClose} title="Importar usuários">
    {(onHold) => <UserImport onClose={onClose} onImported={onImported} onHold={onHold} />}
  </CsvDialog>
)
