import { DATA_EXTENSIONS, MAX_UPLOAD_BYTES } from '@bi-manager/contract'
import { IconFileSpreadsheet } from '@tabler/icons-react'
import { counted } from '../../lib/text/counted.ts'
import { sizeText } from '../../lib/text/size-text.ts'
import { ErrorAlert } from '../../ui/error-alert.tsx'
import type { ChosenFile } from '../../ui/file-drop/dropped-files.ts'
import { FileDrop } from '../../ui/file-drop/file-drop.tsx'
import shared from '../../ui/shared.module.css'
import { DraftsNote } from './drafts-note.tsx'

interface FileSectionProps {
  /** What was sent, with its size in bytes and its rows. */
  sent: { name: string; bytes: number; rows?: number }[]
  /** Names of older files that made room for them. */
  replaced: string[]
  /** Paths of chosen files that were not sent. */
  leftOut: string[]
  isBusy: boolean
  fault: unknown
  onChoose: (files: Promise<ChosenFile[]>) => void
}

/** What a file dialog offers; kinds that are not read get a sentence with the way out. */
export const acceptedData = [...DATA_EXTENSIONS, 'text/csv'].join()

const MAX_NAMED = 10

/** The data: files or a folder, chosen or dropped. */
export const FileSection = ({ sent, replaced, leftOut, isBusy, fault, onChoose }: FileSectionProps) => {
  const read = sent.flatMap(({ rows }) => (rows === undefined ? [] : [rows]))
  const rows = read.reduce((sum, one) => sum + one, 0)
  return (
    <section className={`${shared.panel} ${shared.stackSm}`} aria-labelledby="arquivo">
      <h2 id="arquivo" className={shared.subheading}>
        1. Os dados
      </h2>
      <FileDrop
        label="Arquivos de dados"
        icon={<IconFileSpreadsheet size={40} stroke={1.4} aria-hidden className={shared.accent} />}
        accept={`${acceptedData},.zip`}
        button={
          sent.length > 0
            ? { variant: 'default', children: 'Escolher outros arquivos' }
            : { children: 'Escolher arquivos' }
        }
        folderButton="Escolher pasta"
        note={`ou solte-os aqui: CSV, XLSX ou Parquet, até ${sizeText(MAX_UPLOAD_BYTES)} cada, ou uma pasta ou um zip com definições`}
        isBusy={isBusy}
        onChooseAll={onChoose}
      >
        {sent.map((one) => (
          <p key={one.name} className={shared.breakable}>
            <strong>{one.name}</strong> · {sizeText(one.bytes)}
            {one.rows !== undefined && ` · ${counted(one.rows, 'linha', 'linhas')}`}
          </p>
        ))}
      </FileDrop>
      <DraftsNote replaced={replaced} />
      <p role="status" className={`${shared.note} ${shared.breakable}`}>
        {leftOut.length > 0 && leftOutText(leftOut)}
      </p>
      <p role="status" className={shared.screenReaderOnly}>
        {isBusy
          ? 'Lendo o que foi escolhido.'
          : read.length > 0 &&
            `${counted(read.length, 'arquivo lido', 'arquivos lidos')}: ${counted(rows, 'linha', 'linhas')}.`}
      </p>
      <ErrorAlert error={fault} />
    </section>
  )
}

const list = new Intl.ListFormat('pt-BR')

const leftOutText = (paths: string[]): string => {
  const others = paths.length - MAX_NAMED
  const named = list.format([
    ...paths.slice(0, MAX_NAMED),
    ...(others > 0 ? [`mais ${counted(others, 'arquivo', 'arquivos')}`] : []),
  ])
  return paths.length === 1
    ? `Este arquivo não foi enviado, porque não tem dados nem definições: ${named}.`
    : `Estes arquivos não foram enviados, porque não têm dados nem definições: ${named}.`
}
