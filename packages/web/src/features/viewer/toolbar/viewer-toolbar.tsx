import '@mantine/core/styles/Tooltip.layer.css'
import { ActionIcon, Box, Button, Tooltip, VisuallyHidden } from '@mantine/core'
import {
  type Icon,
  IconCheck,
  IconFilter,
  IconLink,
  IconMaximize,
  IconPrinter,
  IconRefresh,
} from '@tabler/icons-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { useSuccessClose } from '../../../ui/dialog/use-success-close.ts'
import shared from '../../../ui/shared.module.css'
import { callFailureSentence } from '../problems/embed-problem.ts'
import classes from './viewer-toolbar.module.css'

interface ToolbarProps {
  heading: ReactNode
  /** Further buttons, next to the heading on a phone. */
  actions?: ReactNode
  /** Shown next to the heading. */
  star: ReactNode
  /** How recent the report's rows are. */
  dataTime: ReactNode
  /** Buttons that open a popover, before the icons. */
  menus: ReactNode
  /** A sentence on an export or a comment; the toolbar's own messages come first. */
  note: string
  link: () => string
  /** False for a report seen with another person's identity, which must not leave the page. */
  isOwn: boolean
  /** The user has selected something in the report, which a link does not include. */
  hasSelections: boolean
  isLoaded: boolean
  /** The client neither refreshes nor prints a paginated report. */
  isPaginated: boolean
  /** The element for full screen: the report with its filter panel. */
  stage: RefObject<HTMLDivElement | null>
  /** Undefined: the report has no filter of the panel. */
  panel:
    | {
        isOpen: boolean
        /** Number of panel filters in force. */
        active: number
        button: RefObject<HTMLButtonElement | null>
        toggle: () => void
      }
    | undefined
  refresh: () => Promise<void>
  print: () => Promise<void>
}

export const ViewerToolbar = (props: ToolbarProps) => {
  const { heading, isOwn, isLoaded, isPaginated, hasSelections, stage, panel, link, refresh, print } = props
  const [message, setMessage] = useState('')
  const [busy, setBusy] = useState('')
  useSuccessClose(message, () => setMessage(''))

  const run = (name: string, action: () => Promise<unknown> | undefined, done: string) => async () => {
    if (busy) return
    setBusy(name)
    setMessage('')
    try {
      await action()
      setMessage(done)
    } catch (error) {
      setMessage(callFailureSentence(error))
    } finally {
      setBusy('')
    }
  }

  const actions: { name: string; icon: Icon; run: () => Promise<void> }[] = []
  if (!isPaginated)
    actions.push({
      name: 'Atualizar',
      icon: IconRefresh,
      run: run('Atualizar', refresh, 'Relatório atualizado.'),
    })
  if (!isPaginated && isOwn)
    actions.push({ name: 'Imprimir', icon: IconPrinter, run: run('Imprimir', print, '') })
  if (isOwn)
    actions.push({
      name: 'Copiar link',
      icon: message === linkCopied || message === linkCopiedAlone ? IconCheck : IconLink,
      run: run(
        'Copiar link',
        () => copyText(link(), linkRefused),
        hasSelections ? linkCopiedAlone : linkCopied,
      ),
    })
  // iPhones allow full screen for videos only.
  if (isOwn && document.fullscreenEnabled)
    actions.push({
      name: 'Tela cheia',
      icon: IconMaximize,
      run: run('Tela cheia', () => stage.current?.requestFullscreen(), ''),
    })

  return (
    <header className={`${shared.screenOnly} ${classes.toolbar}`}>
      <div className={classes.heading}>
        <div className={classes.names}>{heading}</div>
        {props.star}
      </div>
      {props.dataTime}
      <p className={shared.smallNote} role="status">
        {message || props.note}
      </p>
      {props.actions}
      <div className={classes.actions}>
        {panel && (
          <Box component="span" pos="relative">
            <Button
              ref={panel.button}
              variant="default"
              size="sm"
              leftSection={<IconFilter size={18} stroke={1.7} aria-hidden />}
              disabled={!isLoaded}
              aria-expanded={panel.isOpen}
              onClick={panel.toggle}
            >
              Filtrar Relatórios
              {panel.active > 0 && <VisuallyHidden>{activeText(panel.active)}</VisuallyHidden>}
            </Button>
            {panel.active > 0 && (
              <span className={classes.count} aria-hidden>
                {panel.active}
              </span>
            )}
          </Box>
        )}
        <div className={classes.icons} role="toolbar" aria-label="Ações do relatório">
          {props.menus}
          {actions.map(({ name, icon: IconOf, run: act }) => (
            <Tooltip key={name} label={name} openDelay={400}>
              <ActionIcon
                size="lg"
                className={classes.icon}
                aria-label={name}
                disabled={!isLoaded}
                aria-busy={busy === name}
                onClick={act}
              >
                <IconOf size={20} stroke={1.7} aria-hidden />
              </ActionIcon>
            </Tooltip>
          ))}
        </div>
      </div>
    </header>
  )
}

const activeText = (count: number) => (count === 1 ? ', 1 filtro ativo' : `, ${count} filtros ativos`)

const linkCopied = 'Link copiado.'
const linkCopiedAlone = 'Link copiado, sem o que foi clicado no relatório.'
const linkRefused = 'O link não pôde ser copiado. Copie-o da barra de endereços.'
