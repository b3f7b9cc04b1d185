import { IconFileSpreadsheet } from '@tabler/icons-react'
import { counted } from '../../lib/text/counted.ts'
import { sizeText } from '../../lib/text/size-text.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import { FileDrop } from '../../ui/file-drop/file-drop.tsx'
import shared from '../../ui/shared.module.css'
import type { DataFile } from './data-file.ts'

interface FileSectionProps {
  file: DataFile | undefined
  rows: number | undefined
  isBusy: boolean
  fault: unknown
  onChoose: (file: File) => void
}

/** The file: chosen, or dropped. */
export const FileSection = ({ file, rows, isBusy, fault, onChoose }: FileSectionProps) => (
  <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="arquivo">
    <h2 id="arquivo" className={shared.subheading}>
      1. Os dados
    </h2>
    <FileDrop
      label="Arquivo de dados"
      icon={<IconFileSpreadsheet size={40} stroke={1.4} aria-hidden className={shared.accent} />}
      accept=".csv,.txt,.xlsx,.parquet,text/csv"
      button={
        file ? { variant: 'default', children: 'Escolher outro arquivo' } : { children: 'Escolher arquivo' }
      }
      note="ou solte-o aqui: CSV, XLSX ou Parquet, até 10 MB"
      isBusy={isBusy}
      onChoose={onChoose}
    >
      {file && (
        <p className={shared.breakable}>
          <strong>{file.chosen}</strong> · {sizeText(file.bytes.size)}
          {rows !== undefined && ` · ${counted(rows, 'linha', 'linhas')}`}
        </p>
      )}
    </FileDrop>
    <p role="status" className={shared.forReaders}>
      {isBusy
        ? 'Lendo o arquivo.'
        : rows !== undefined && `Arquivo lido: ${counted(rows, 'linha', 'linhas')}.`}
    </p>
    <ErrorAlert error={fault} />
  </section>
)
