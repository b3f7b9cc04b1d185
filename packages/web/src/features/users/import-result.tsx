import { Alert, Button } from '@mantine/core'
import { IconAlertTriangle, IconDownload } from '@tabler/icons-react'
import { useState } from 'react'
import { saveFile } from '../../lib/browser/save-file.ts'
import classes from '../../ui/csv-import/csv-import.module.css'
import { csvBlob } from '../../ui/csv-import/csv-text.ts'
import { ImportResult as Result } from '../../ui/csv-import/import-result.tsx'
import { focusOnMount } from '../../ui/page-focus.ts'
import { passwordsCsv } from './import-lines.ts'
import { type CsvLine, userCsv } from './user-csv.ts'

interface ImportResultProps {
  count: number
  lines: CsvLine[]
  /** Generated passwords by line; kept only here and lost when the dialog closes. */
  passwords: ReadonlyMap<number, string>
  onClose: () => void
}

export const ImportResult = ({ count, lines, passwords, onClose }: ImportResultProps) => {
  const [isDownloaded, setDownloaded] = useState(false)
  const isPending = passwords.size > 0 && !isDownloaded
  const download = () => {
    saveFile(csvBlob(passwordsCsv(lines, passwords)), 'usuarios-senhas.csv')
    setDownloaded(true)
  }
  return (
    <Result
      count={count}
      people={userCsv.people}
      buttons={
        <>
          {passwords.size > 0 && (
            <Button
              key="download"
              variant={isPending ? 'filled' : 'default'}
              leftSection={<IconDownload size={18} aria-hidden />}
              onClick={download}
              ref={focusOnMount}
            >
              Baixar senhas
            </Button>
          )}
          <Button
            key="close"
            variant={isPending ? 'default' : 'filled'}
            onClick={onClose}
            ref={passwords.size === 0 ? focusOnMount : undefined}
          >
            {isPending ? 'Fechar sem baixar' : 'Fechar'}
          </Button>
        </>
      }
    >
      {passwords.size > 0 && (
        <Alert
          color="yellow"
          classNames={{ label: classes.warningTitle }}
          icon={<IconAlertTriangle aria-hidden />}
          title={passwords.size === 1 ? '1 senha gerada' : `${passwords.size} senhas geradas`}
        >
          {isDownloaded
            ? 'Guarde o arquivo em lugar seguro e apague-o depois de entregar as senhas.'
            : `${passwords.size === 1 ? 'Ela não aparece' : 'Elas não aparecem'} de novo: baixe o arquivo agora.`}
        </Alert>
      )}
    </Result>
  )
}
