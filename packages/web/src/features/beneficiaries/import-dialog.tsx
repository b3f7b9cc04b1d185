import { lazy } from 'react'
import { CsvDialog } from '../../ui/csv-import/csv-dialog.tsx'

// Lazy, so that the list does not load the CSV parser.
const BeneficiaryImport = lazy(() =>
  import('./beneficiary-import.tsx').then((module) => ({ default: module.BeneficiaryImport })),
)

interface ImportDialogProps {
  opened: boolean
  onClose: () => void
  onImported: () => void
}

export const ImportDialog = ({ opened, onClose, onImported }: ImportDialogProps) => (
  <CsvDialog opened={opened} onClose={onClose} title="Importar beneficiários">
    {(onHold) => <BeneficiaryImport onClose={onClose} onImported={onImported} onHold={onHold} />}
  </CsvDialog>
)
