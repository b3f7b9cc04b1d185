import { type MedicalRecord, medicalRecordsApi } from '@bi-manager/contract'
import { Alert, Button } from '@mantine/core'
import { IconHistory, IconPencil, IconPrinter } from '@tabler/icons-react'
import { useMutation } from '@tanstack/react-query'
import { call, messageOf } from '../../lib/api/api.ts'
import { DownloadButton } from '../../ui/download-button.tsx'
import { dialogContentFocusProps } from './dialog-focus.ts'
import classes from './medical-records.module.css'
import { PaperNotice, PrintSheet, usePrint } from './print-sheet.tsx'
import { RecordFacts } from './record-facts.tsx'

interface RecordReadProps {
  record: MedicalRecord
  /** Whether the record was just saved in this dialog. */
  isSaved: boolean
  onView: (view: 'edit' | 'versions') => void
}

export const RecordRead = ({ record, isSaved, onView }: RecordReadProps) => {
  const params = { id: record.id }
  const { isPrinting, print } = usePrint()
  const recordPrint = useMutation({
    mutationFn: () => call(medicalRecordsApi.recordPrint, { params }),
    networkMode: 'always',
    onSuccess: print,
  })
  const { error } = recordPrint
  return (
    <div className={classes.record} {...dialogContentFocusProps}>
      <p role="status" className={classes.saved}>
        {isSaved && 'Prontuário editado! A versão anterior ficou guardada.'}
      </p>
      <RecordFacts record={record} />
      {error && (
        <Alert color="red" role="alert">
          {messageOf(error)}
        </Alert>
      )}
      <div className={classes.buttons}>
        <Button
          variant="default"
          leftSection={<IconPrinter size={17} aria-hidden />}
          loading={recordPrint.isPending}
          onClick={() => recordPrint.mutate()}
        >
          Imprimir
        </Button>
        <DownloadButton
          label="Baixar PDF"
          download={() => call(medicalRecordsApi.pdf, { params })}
          fileName={`prontuario-${record.id}.pdf`}
        />
        <Button
          variant="default"
          leftSection={<IconHistory size={17} aria-hidden />}
          onClick={() => onView('versions')}
        >
          Versões
        </Button>
        <Button leftSection={<IconPencil size={17} aria-hidden />} onClick={() => onView('edit')}>
          Editar
        </Button>
      </div>
      <PaperNotice />
      {isPrinting && <PrintSheet record={record} />}
    </div>
  )
}
