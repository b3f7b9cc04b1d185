import { Alert, Checkbox, Group, Skeleton, Stack, Text } from '@mantine/core'
import { IconAlertCircle, IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import '@mantine/core/styles/Checkbox.layer.css'
import { Button } from '../button.tsx'
import { ListFailure } from '../data-table/list-failure.tsx'
import { countText } from '../data-table/page-range.ts'
import dialog from '../dialog/dialog.module.css'
import { ErrorAlert } from '../error-alert.tsx'
import shared from '../shared.module.css'
import classes from './csv-import.module.css'
import { type Preview, type PreviewLine, PreviewLines, type PreviewTexts } from './preview-lines.tsx'
import { type ImportRun, isAnswerLost } from './use-csv-import.ts'

interface ImportPreviewProps<L extends PreviewLine> {
  file: { name: string; lines: { linha: number }[]; ignored: string[] }
  /** 'usuário', 'usuários' */
  people: readonly [singular: string, plural: string]
  texts: PreviewTexts<L>
  run: ImportRun<L>
  /** Choices that change what is imported. */
  options?: ReactNode
  /** What is said when the import's answer was lost. */
  lost: LostAnswer
  /** 'Gravando 500 usuários. Não feche esta janela.' */
  writing: string
  onClose: () => void
  onStartOver: () => void
}

interface LostAnswer {
  /** What identifies a line: 'e-mails'. */
  keys: string
  /** The faults of lines already written: 'E-mails já cadastrados'. */
  faults: string
  more?: string
  action?: ReactNode
  /** The file stays chosen: the screen shows something that is not shown again. */
  isFileLocked?: boolean
}

/** Shows the server's validation of each line before anything is written. */
export const ImportPreview = <L extends PreviewLine>(props: ImportPreviewProps<L>) => {
  const { file, people, texts, options, lost } = props
  const { importing, isUnknown } = props.run
  const { data: preview, error: failure, isFetching: isChecking, refetch } = props.run.preview
  const isImporting = importing.isPending
  const isFileLocked = isUnknown && lost.isFileLocked === true
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
    <Stack gap="1.125rem">
      <Group component="p" ref={heading} tabIndex={-1} gap="sm" align="baseline" className={shared.breakable}>
        <strong>{file.name}</strong>
        <span className={shared.note}>{count}</span>
      </Group>
      {file.ignored.length > 0 && (
        <p className={shared.note}>Colunas que não são importadas: {file.ignored.join(', ')}.</p>
      )}
      {options}
      <ErrorAlert
        error={importing.error && !isAnswerLost(importing.error) && importing.error}
        icon={<IconAlertCircle aria-hidden />}
      />
      {!isImporting && isUnknown && <LostAnswerNotice {...lost} />}
      {failure && !isChecking && !preview ? (
        <ListFailure error={failure} isFetching={isChecking} onRetry={() => void refetch()} />
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
            <Verdict preview={preview} unknownFaults={isUnknown ? lost.faults : undefined} />
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
      <div className={`${dialog.footer} ${shared.buttonsAtEnd} ${classes.footer}`}>
        <Text role="status" component="div" flex="1 1 100%" fz="sm">
          {isImporting && (
            <>
              {props.writing}
              <span className={classes.bar} />
            </>
          )}
        </Text>
        <Button variant="default" onClick={props.onStartOver} disabled={isImporting || isFileLocked}>
          Escolher outro arquivo
        </Button>
        {isUnknown && (
          <Button variant="default" onClick={props.onClose} disabled={isImporting}>
            {isFileLocked ? 'Fechar sem baixar' : 'Fechar'}
          </Button>
        )}
        <Button
          onClick={() => importing.mutate()}
          loading={isImporting}
          disabled={!preview || isChecking || preview.invalidas > 0}
        >
          {faulty > 0 ? 'Importar' : `Importar ${count}`}
        </Button>
      </div>
    </Stack>
  )
}

const LostAnswerNotice = ({ keys, more, action }: LostAnswer) => (
  <Alert
    color="yellow"
    role="alert"
    classNames={{ label: classes.warningTitle }}
    icon={<IconAlertTriangle aria-hidden />}
    title="Não sabemos se a importação foi gravada"
  >
    <p>
      A resposta do servidor não chegou. Se a conferência abaixo disser que os {keys} já estão cadastrados,
      ela foi gravada; se não houver falha, você pode importar de novo.
      {more && ` ${more}`}
    </p>
    {action}
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
