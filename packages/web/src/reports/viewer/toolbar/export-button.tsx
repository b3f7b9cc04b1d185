import type { ReportExportRequest } from '@bi-manager/contract'
import { Box, Button, Progress, Text, VisuallyHidden } from '@mantine/core'
import '@mantine/core/styles/Progress.layer.css'
import { IconFileDownload } from '@tabler/icons-react'
import { useEffect, useEffectEvent, useRef, useState } from 'react'
import { ErrorAlert } from '../../../ui/error-alert.tsx'
import type { ChosenVisual } from '../frame/visual-commands.ts'
import type { ViewedReport } from '../opening/use-report.ts'
import classes from './export-button.module.css'
import { InteractiveChoices, PaginatedChoices } from './export-choices.tsx'
import { ReportPopover } from './report-popover.tsx'
import { type ExportInput, type ExportState, useReportExport } from './use-report-export.ts'

interface ExportButtonProps {
  report: Pick<ViewedReport, 'capture'>
  idRelatorio: number | undefined
  nomeRelatorio: string
  /** The state of a paginated report. */
  paginated?: ViewedReport['status']['paginated']
  isLoaded: boolean
  /** Only the local service writes spreadsheets of visuals. */
  isLocal?: boolean | undefined
  /** The visual whose data the reader asked for last, in its menu. */
  visualToExport?: ViewedReport['status']['visualToExport']
  /** Called with a sentence on the export of a visual, to show next to the toolbar for a while. */
  onNote: (sentence: string) => void
  /** Called with what to show while the export of a visual runs, and with '' when it ends. */
  onProgress: (sentence: string) => void
}

/**
 * The toolbar's 'Exportar'. An export continues while the panel is closed; the button shows that.
 */
export const ExportButton = (props: ExportButtonProps) => {
  const { report, idRelatorio = 0, nomeRelatorio, paginated, isLoaded } = props
  const { isLocal = true, visualToExport, onNote, onProgress } = props
  /** The title of the visual that is exported; undefined for a choice of the panel. */
  const [visualTitle, setVisualTitle] = useState<string>()
  const panel = useRef<HTMLDivElement>(null)
  const { state, start, cancel } = useReportExport()
  const { phase, percent, fault } = state
  /** Kept while the choices are hidden. */
  const [chosen, setChosen] = useState<string[]>()
  const isRunning = phase === 'gerando' || phase === 'baixando'

  // The pressed button is unmounted with its list, and the focus would fall to the body.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when list and progress swap
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus()
  }, [isRunning])

  const inputOf = (fileName: string, body: ReportExportRequest): ExportInput => ({
    idRelatorio,
    fileName,
    body,
  })

  const startWith = (makeBody: () => Promise<ReportExportRequest>) => {
    setVisualTitle(undefined)
    onNote('')
    void start(async () => inputOf(nomeRelatorio, await makeBody()))
  }

  const exportVisual = useEffectEvent(({ pagina, visual, titulo }: ChosenVisual) => {
    if (isRunning) return onNote('Aguarde: outra exportação está em andamento.')
    setVisualTitle(titulo)
    void start(async () => {
      const { filtros, marcador } = await report.capture()
      const body = { formato: 'XLSX' as const, pagina, visual, filtros, marcador, parametros: [] }
      return inputOf(`${nomeRelatorio} - ${titulo}`, body)
    })
  })
  useEffect(() => {
    if (visualToExport) exportVisual(visualToExport)
  }, [visualToExport])

  const notifyOutcome = useEffectEvent((sentence: string) => sentence && onNote(sentence))
  const outcome = visualTitle === undefined ? '' : outcomeOf(state)
  useEffect(() => void notifyOutcome(outcome), [outcome])
  const notifyProgress = useEffectEvent(onProgress)
  const progress = visualTitle !== undefined && isRunning ? `Gerando a planilha de “${visualTitle}”…` : ''
  useEffect(() => notifyProgress(progress), [progress])

  return (
    <>
      <ReportPopover
        label="Exportar"
        icon={IconFileDownload}
        width={19}
        isDisabled={!isLoaded || idRelatorio === 0}
        isBusy={isRunning}
        dropdown={panel}
      >
        {() => (
          <>
            <Box component="h2" fz="md" lh={1.35} mb={8}>
              Exportar
            </Box>
            {isRunning ? (
              <>
                <Text fz="xs" mb="xs">
                  {phase === 'baixando' ? 'Baixando o arquivo…' : `Gerando o arquivo… ${percent}%`}
                </Text>
                <Progress
                  size={8}
                  radius="xl"
                  mb="0.875rem"
                  bg="var(--surface-active)"
                  classNames={{ section: classes.progress }}
                  transitionDuration={160}
                  value={percent}
                  aria-label="Exportação"
                />
                <Button variant="default" size="sm" fullWidth data-autofocus onClick={cancel}>
                  Cancelar
                </Button>
              </>
            ) : (
              <>
                {phase === 'erro' && visualTitle === undefined && <ErrorAlert error={fault} mb="xs" />}
                {phase === 'pronta' && visualTitle === undefined && (
                  <Text fz="xs" mb="xs">
                    {SAVED}
                  </Text>
                )}
                {paginated ? (
                  <PaginatedChoices
                    {...paginated}
                    values={chosen ?? paginated.parametros.map(({ valor }) => valor)}
                    onChange={setChosen}
                    onChoose={startWith}
                  />
                ) : (
                  <InteractiveChoices capture={report.capture} isLocal={isLocal} onChoose={startWith} />
                )}
              </>
            )}
          </>
        )}
      </ReportPopover>
      <VisuallyHidden role="status">{visualTitle === undefined ? spoken(state) : ''}</VisuallyHidden>
    </>
  )
}

const SAVED = 'Arquivo salvo nos seus downloads.'

const spoken = ({ phase }: ExportState): string => {
  if (phase === 'gerando') return 'Gerando o arquivo…'
  return phase === 'pronta' ? SAVED : ''
}

/** Returns how the export of a visual ended; '' while it has not. */
const outcomeOf = ({ phase, fault }: ExportState): string => {
  if (phase === 'erro') return fault
  return phase === 'pronta' ? 'Planilha salva nos seus downloads.' : ''
}
