import { Button, FileButton } from '@mantine/core'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { useState } from 'react'
import { counted } from '../../lib/text/counted.ts'
import { sizeText } from '../../lib/text/size-text.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import shared from '../../ui/shared.module.css'
import type { DataFile } from './data-file.ts'
import classes from './publishing.module.css'

interface FileSectionProps {
  file: DataFile | undefined
  rows: number | undefined
  isBusy: boolean
  fault: unknown
  onChoose: (file: File) => void
}

/** The file: chosen, or dropped. */
export const FileSection = ({ file, rows, isBusy, fault, onChoose }: FileSectionProps) => {
  const [isOver, setOver] = useState(false)
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="arquivo">
      <h2 id="arquivo" className={shared.subheading}>
        1. Os dados
      </h2>
      <section
        aria-label="Arquivo de dados"
        className={`${shared.stackXs} ${classes.drop}`}
        data-over={isOver || undefined}
        onDragOver={(event) => {
          event.preventDefault()
          setOver(true)
        }}
        onDragLeave={() => setOver(false)}
        onDrop={(event) => {
          event.preventDefault()
          setOver(false)
          const [dropped] = event.dataTransfer.files
          if (dropped && !isBusy) onChoose(dropped)
        }}
      >
        <IconFileSpreadsheet size={40} stroke={1.4} aria-hidden className={shared.accent} />
        {file && (
          <p className={shared.breakable}>
            <strong>{file.chosen}</strong> · {sizeText(file.bytes.size)}
            {rows !== undefined && ` · ${counted(rows, 'linha', 'linhas')}`}
          </p>
        )}
        <FileButton
          accept=".csv,.txt,.xlsx,.parquet,text/csv"
          onChange={(chosen) => chosen && onChoose(chosen)}
        >
          {(props) => (
            <Button {...props} variant={file ? 'default' : 'filled'} loading={isBusy}>
              {file ? 'Escolher outro arquivo' : 'Escolher arquivo'}
            </Button>
          )}
        </FileButton>
        <span className={shared.note}>ou solte-o aqui: CSV, XLSX ou Parquet, até 10 MB</span>
      </section>
      <p role="status" className={shared.forReaders}>
        {isBusy
          ? 'Lendo o arquivo.'
          : rows !== undefined && `Arquivo lido: ${counted(rows, 'linha', 'linhas')}.`}
      </p>
      <ErrorAlert error={fault} />
    </section>
  )
}
