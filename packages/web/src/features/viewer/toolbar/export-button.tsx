import type { ExportFormat } from '@bi-manager/contract'
import { ActionIcon, Button, Popover, Tooltip, VisuallyHidden } from '@mantine/core'
import { IconFileDownload, IconFileTypePdf, IconPhoto } from '@tabler/icons-react'
import { useEffect, useRef } from 'react'
import type { ViewedReport } from '../opening/use-report.ts'
import classes from './export-button.module.css'
import { useReportExport } from './use-report-export.ts'
import { useReportPopover } from './use-report-popover.ts'
import toolbar from './viewer-toolbar.module.css'

interface ExportButtonProps {
  report: Pick<ViewedReport, 'capture'>
  idRelatorio: number | undefined
  nomeRelatorio: string
  isLoaded: boolean
}

const choices: { label: string; formato: ExportFormat; isWhole: boolean }[] = [
  { label: 'PDF desta página', formato: 'PDF', isWhole: false },
  { label: 'PDF do relatório inteiro', formato: 'PDF', isWhole: true },
  { label: 'Imagem (PNG) desta página', formato: 'PNG', isWhole: false },
]

/**
 * The toolbar's 'Exportar'. An export continues while the panel is closed; the button shows that.
 */
export const ExportButton = ({ report, idRelatorio = 0, nomeRelatorio, isLoaded }: ExportButtonProps) => {
  const { isOpen, setOpen, returnFocus } = useReportPopover()
  const panel = useRef<HTMLDivElement>(null)
  const { state, start, cancel } = useReportExport()
  const { phase, percent, fault } = state
  const isRunning = phase === 'gerando' || phase === 'baixando'

  // The pressed button is unmounted with its list, and the focus would fall to the body.
  // biome-ignore lint/correctness/useExhaustiveDependencies: runs when list and progress swap
  useEffect(() => {
    if (document.activeElement === document.body) panel.current?.focus()
  }, [isRunning])

  const choose = ({ formato, isWhole }: (typeof choices)[number]) =>
    start(async () => {
      const { pagina, filtros, marcador } = await report.capture()
      const body = { formato, pagina: isWhole ? null : pagina, filtros, marcador }
      return { idRelatorio, nomeRelatorio, body }
    })

  return (
    <Popover
      opened={isOpen && isLoaded}
      onChange={setOpen}
      position="bottom-end"
      width="min(19rem, calc(100vw - 1.5rem))"
      shadow="lg"
      radius="lg"
      trapFocus
      returnFocus={returnFocus}
    >
      <Popover.Target>
        <Tooltip label="Exportar" openDelay={400} disabled={isOpen}>
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            className={toolbar.icon}
            aria-label="Exportar"
            aria-busy={isRunning}
            disabled={!isLoaded || idRelatorio === 0}
            onClick={() => setOpen(!isOpen)}
          >
            <IconFileDownload size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown ref={panel} aria-label="Exportar">
        <h2 className={classes.title}>Exportar</h2>
        {isRunning ? (
          <>
            <p className={classes.text}>
              {phase === 'baixando' ? 'Baixando o arquivo…' : `Gerando o arquivo… ${percent}%`}
            </p>
            <progress className={classes.progress} max={100} value={percent} aria-label="Exportação" />
            <Button variant="default" size="sm" fullWidth data-autofocus onClick={cancel}>
              Cancelar
            </Button>
          </>
        ) : (
          <>
            {phase === 'erro' && (
              <p className={classes.fault} role="alert">
                {fault}
              </p>
            )}
            {phase === 'pronta' && <p className={classes.text}>Arquivo salvo nos seus downloads.</p>}
            <ul className={classes.choices}>
              {choices.map((choice) => (
                <li key={choice.label}>
                  <button type="button" className={classes.choice} onClick={() => void choose(choice)}>
                    {choice.formato === 'PDF' ? (
                      <IconFileTypePdf size={19} stroke={1.6} aria-hidden />
                    ) : (
                      <IconPhoto size={19} stroke={1.6} aria-hidden />
                    )}
                    {choice.label}
                  </button>
                </li>
              ))}
            </ul>
            <p className={classes.hint}>O arquivo sai com os filtros e as seleções que estão na tela.</p>
          </>
        )}
      </Popover.Dropdown>
      <VisuallyHidden role="status">{spoken(phase)}</VisuallyHidden>
    </Popover>
  )
}

const spoken = (phase: string): string => {
  if (phase === 'gerando') return 'Gerando o arquivo…'
  return phase === 'pronta' ? 'Arquivo salvo nos seus downloads.' : ''
}
