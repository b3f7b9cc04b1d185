import type { UserImportPreview } from '@bi-manager/contract'
import { Alert, Button, Checkbox, Skeleton } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck, IconDownload } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { ListFailure } from '../../ui/data-table/list-failure.tsx'
import classes from './import.module.css'
import { peopleText, writingText } from './import-lines.ts'
import { PreviewLines } from './preview-lines.tsx'
import type { UserCsv } from './user-csv.ts'

interface ImportPreviewProps {
  file: UserCsv & { name: string; passwords: ReadonlyMap<number, string> }
  /** Those that will be used: none while 'Gerar senhas que faltam' is not ticked. */
  passwords: ReadonlyMap<number, string>
  /** Undefined while the server judges. */
  preview: UserImportPreview | undefined
  failure: Error | undefined
  onRetry: () => void
  isGenerating: boolean
  onGenerating: (isGenerating: boolean) => void
  /** Why the import itself failed. */
  problem: string | undefined
  /** Its answer was lost. */
  unknown: UnknownOutcome | undefined
  isImporting: boolean
  isChecking: boolean
  onImport: () => void
  onStartOver: () => void
}

interface UnknownOutcome {
  hasPasswords: boolean
  isDownloaded: boolean
  onDownload: () => void
  onClose: () => void
}

/** What the server found in each line, before anything is written. */
export const ImportPreview = (props: ImportPreviewProps) => {
  const {
    file,
    passwords,
    preview,
    failure,
    isGenerating,
    onGenerating,
    problem,
    unknown,
    isImporting,
    isChecking,
  } = props
  const [onlyFaulty, setOnlyFaulty] = useState(false)
  const lacking = file.passwords.size
  /** Passwords that may be in use and are nowhere else. */
  const isKept = unknown?.hasPasswords === true && !unknown.isDownloaded
  const faulty = preview?.invalidas ?? 0
  const shown = preview?.linhas.filter(
    ({ erros }) => !onlyFaulty || faulty === 0 || Object.keys(erros).length > 0,
  )
  const heading = useRef<HTMLParagraphElement>(null)
  // The button that chose the file is gone.
  useEffect(() => heading.current?.focus(), [])

  return (
    <div className={classes.steps}>
      <p ref={heading} tabIndex={-1} className={classes.file}>
        <strong>{file.name}</strong>
        <span className={classes.dimmed}>{peopleText(file.lines.length)}</span>
      </p>
      {file.ignored.length > 0 && (
        <p className={classes.dimmed}>Colunas que não são importadas: {file.ignored.join(', ')}.</p>
      )}
      {lacking > 0 && (
        <Checkbox
          label="Gerar senhas que faltam"
          description={`${peopleText(lacking)} sem senha no arquivo. As geradas aparecem só no fim da importação.`}
          checked={isGenerating}
          disabled={isImporting || unknown !== undefined}
          onChange={(event) => onGenerating(event.currentTarget.checked)}
        />
      )}
      {problem && (
        <Alert color="red" role="alert" icon={<IconAlertCircle aria-hidden />}>
          {problem}
        </Alert>
      )}
      {unknown && !isImporting && <Unknown {...unknown} />}
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
            <Verdict preview={preview} isUnknown={unknown !== undefined} />
          </div>
          {faulty > 0 && (
            <Checkbox
              label="Só com falhas"
              checked={onlyFaulty}
              onChange={(event) => setOnlyFaulty(event.currentTarget.checked)}
            />
          )}
          {shown && <PreviewLines lines={shown} passwords={passwords} />}
        </>
      )}
      <div className={classes.footer}>
        <div role="status" className={classes.writing}>
          {isImporting && (
            <>
              {writingText(file.lines.length)}
              <span className={classes.bar} />
            </>
          )}
        </div>
        <Button variant="default" onClick={props.onStartOver} disabled={isImporting || isKept}>
          Escolher outro arquivo
        </Button>
        {unknown && (
          <Button variant="default" onClick={unknown.onClose} disabled={isImporting}>
            {isKept ? 'Fechar sem baixar' : 'Fechar'}
          </Button>
        )}
        <Button
          onClick={props.onImport}
          loading={isImporting}
          disabled={!preview || isChecking || preview.invalidas > 0}
        >
          {faulty > 0 ? 'Importar' : `Importar ${peopleText(file.lines.length)}`}
        </Button>
      </div>
    </div>
  )
}

const Unknown = ({ hasPasswords, isDownloaded, onDownload }: UnknownOutcome) => (
  <Alert
    color="yellow"
    role="alert"
    classNames={{ label: classes.warningTitle }}
    icon={<IconAlertTriangle aria-hidden />}
    title="Não sabemos se a importação foi gravada"
  >
    <p className={classes.lead}>
      A resposta do servidor não chegou. Se a conferência abaixo disser que os e-mails já estão cadastrados,
      ela foi gravada; se não houver falha, você pode importar de novo.
      {hasPasswords && ' As senhas geradas podem já valer: baixe o arquivo antes de fechar.'}
    </p>
    {hasPasswords && (
      <Button
        mt="sm"
        variant={isDownloaded ? 'default' : 'filled'}
        leftSection={<IconDownload size={18} aria-hidden />}
        onClick={onDownload}
      >
        Baixar senhas
      </Button>
    )}
  </Alert>
)

const Verdict = ({
  preview: { validas, invalidas },
  isUnknown,
}: {
  preview: UserImportPreview
  isUnknown: boolean
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
      {isUnknown
        ? 'E-mails já cadastrados podem ser os desta importação.'
        : 'Nada foi gravado. Corrija o arquivo e escolha-o de novo: a importação só começa sem nenhuma falha.'}
    </Alert>
  )
