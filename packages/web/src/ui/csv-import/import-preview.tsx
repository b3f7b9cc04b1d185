import { Alert, Button, Checkbox, Skeleton } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { ListFailure } from '../data-table/list-failure.tsx'
import { countText } from '../data-table/page-range.ts'
import shared from '../shared.module.css'
import classes from './csv-import.module.css'
import { type PreviewLine, PreviewLines, type PreviewTexts } from './preview-lines.tsx'

export interface Preview<L extends PreviewLine> {
  linhas: L[]
  validas: number
  invalidas: number
}

interface ImportPreviewProps<L extends PreviewLine> {
  file: { name: string; lines: { linha: number }[]; ignored: string[] }
  /** 'usuário', 'usuários' */
  people: readonly [singular: string, plural: string]
  texts: PreviewTexts<L>
  /** Undefined while the server validates. */
  preview: Preview<L> | undefined
  failure: Error | undefined
  onRetry: () => void
  /** Choices that change what is imported. */
  options?: ReactNode
  /** Why the import itself failed. */
  problem: string | undefined
  /** Set when the import's answer was lost: faults of lines already written, and the notice. */
  unknown: { faults: string; notice: ReactNode; close: ReactNode; isKept?: boolean } | undefined
  isImporting: boolean
  isChecking: boolean
  /** 'Gravando 500 usuários. Não feche esta janela.' */
  writing: string
  onImport: () => void
  onStartOver: () => void
}

/** Shows the server's validation of each line before anything is written. */
export const ImportPreview = <L extends PreviewLine>(props: ImportPreviewProps<L>) => {
  const { file, people, texts, preview, failure, options, problem, unknown, isImporting, isChecking } = props
  const [onlyFaulty, setOnlyFaulty] = useState(false)
  const faulty = preview?.invalidas ?? 0
  const shown = preview?.linhas.filter(
    ({ erros }) => !onlyFaulty || faulty === 0 || Object.keys(erros).length > 0,
  )
  const count = countText(file.lines.length, false, people)
  const heading = useRef<HTMLParagraphElement>(null)
  // The button that had the focus is no longer rendered.
  useEffect(() => heading.current?.focus(), [])

  return (
    <div className={classes.steps}>
      <p ref={heading} tabIndex={-1} className={classes.file}>
        <strong>{file.name}</strong>
        <span className={shared.note}>{count}</span>
      </p>
      {file.ignored.length > 0 && (
        <p className={shared.note}>Colunas que não são importadas: {file.ignored.join(', ')}.</p>
      )}
      {options}
      {problem && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {problem}
        </Alert>
      )}
      {!isImporting && unknown?.notice}
      {failure && !preview ? (
        <ListFailure error={failure} isFetching={isChecking} onRetry={props.onRetry} />
      ) : !preview ? (
        <div role="status" aria-label="Conferindo o arquivo">
          <Skeleton height={52} radius="md" mb="md" />
          {[0, 1, 2, 3].map((row) => (
            <Skeleton key={row} height={28} mb="xs" />
          ))}
        </div>
      ) : (
        <>
          <div role="status">
            <Verdict preview={preview} unknownFaults={unknown?.faults} />
          </div>
          {faulty > 0 && (
            <Checkbox
              label="Só com falhas"
              checked={onlyFaulty}
              onChange={(event) => setOnlyFaulty(event.currentTarget.checked)}
            />
          )}
          {shown && <PreviewLines lines={shown} texts={texts} />}
        </>
      )}
      <div className={classes.footer}>
        <div role="status" className={classes.writing}>
          {isImporting && (
            <>
              {props.writing}
              <span className={classes.bar} />
            </>
          )}
        </div>
        <Button
          variant="default"
          onClick={props.onStartOver}
          disabled={isImporting || unknown?.isKept === true}
        >
          Escolher outro arquivo
        </Button>
        {unknown?.close}
        <Button
          onClick={props.onImport}
          loading={isImporting}
          disabled={!preview || isChecking || preview.invalidas > 0}
        >
          {faulty > 0 ? 'Importar' : `Importar ${count}`}
        </Button>
      </div>
    </div>
  )
}

/** The notice for an import whose answer was lost. @param keys what identifies a line: 'e-mails' */
export const LostAnswerNotice = ({
  keys,
  more,
  children,
}: {
  keys: string
  more?: string
  children?: ReactNode
}) => (
  <Alert
    color="yellow"
    role="alert"
    classNames={{ label: classes.warningTitle }}
    icon={<IconAlertTriangle aria-hidden />}
    title="Não sabemos se a importação foi gravada"
  >
    <p className={classes.lead}>
      A resposta do servidor não chegou. Se a conferência abaixo disser que os {keys} já estão cadastrados,
      ela foi gravada; se não houver falha, você pode importar de novo.
      {more && ` ${more}`}
    </p>
    {children}
  </Alert>
)

const Verdict = ({
  preview: { validas, invalidas },
  unknownFaults,
}: {
  preview: Pick<Preview<PreviewLine>, 'validas' | 'invalidas'>
  unknownFaults: string | undefined
}) =>
  invalidas === 0 ? (
    <Alert color="teal" icon={<IconCircleCheck aria-hidden />} title="Nenhuma falha">
      {validas === 1 ? 'A linha pode ser importada.' : `As ${validas} linhas podem ser importadas.`} Nada foi
      gravado ainda.
    </Alert>
  ) : (
    <Alert
      color="red"
      icon={<IconAlertTriangle aria-hidden />}
      title={invalidas === 1 ? '1 linha com falha' : `${invalidas} linhas com falhas`}
    >
      {unknownFaults
        ? `${unknownFaults} podem ser os desta importação.`
        : 'Nada foi gravado. Corrija o arquivo e escolha-o de novo: a importação só começa sem nenhuma falha.'}
    </Alert>
  )
