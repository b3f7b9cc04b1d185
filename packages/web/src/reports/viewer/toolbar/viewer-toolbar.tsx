import '@mantine/core/styles/Tooltip.layer.css'
import { Box, Button, VisuallyHidden } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { IconCheck, IconFilter, IconLink, IconMaximize, IconPrinter, IconRefresh } from '@tabler/icons-react'
import { type ReactNode, type RefObject, useState } from 'react'
import { copyText } from '../../../lib/browser/copy-text.ts'
import { useSuccessClose } from '../../../ui/dialog/use-success-close.ts'
import shared from '../../../ui/shared.module.css'
import { callFailureSentence } from '../problems/embed-problem.ts'
import { MoreActions } from './more-actions.tsx'
import { type ToolbarAction, ToolbarIcon } from './toolbar-action.tsx'
import classes from './viewer-toolbar.module.css'

interface ToolbarProps {
  heading: ReactNode
  /** Further buttons, next to the heading on a phone. */
  actions?: ReactNode
  /** Shown next to the heading. */
  star: ReactNode
  /** How recent the report's rows are. */
  dataTime: ReactNode
  /** Buttons before the actions; a phone shows them too. */
  menus: ReactNode
  /** Actions that open a dialog. */
  dialogs: ToolbarAction[]
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
  const { heading, dialogs, isOwn, isLoaded, isPaginated, hasSelections, stage, panel } = props
  const { link, refresh, print } = props
  const isNarrow = useMediaQuery(NARROW, undefined, { getInitialValueInEffect: false })
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

  const actions: ToolbarAction[] = [...dialogs]
  const add = (name: string, icon: ToolbarAction['icon'], act: () => Promise<void>) =>
    actions.push({ name, icon, isDisabled: !isLoaded, isBusy: busy === name, run: () => void act() })
  if (!isPaginated) add('Atualizar', IconRefresh, run('Atualizar', refresh, 'Relatório atualizado.'))
  if (!isPaginated && isOwn) add('Imprimir', IconPrinter, run('Imprimir', print, ''))
  if (isOwn)
    add(
      'Copiar link',
      message === linkCopied || message === linkCopiedAlone ? IconCheck : IconLink,
      run('Copiar link', () => copyText(link(), linkRefused), hasSelections ? linkCopiedAlone : linkCopied),
    )
  // iPhones allow full screen for videos only.
  if (isOwn && document.fullscreenEnabled)
    add(
      'Tela cheia',
      IconMaximize,
      run('Tela cheia', () => stage.current?.requestFullscreen(), ''),
    )

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
          {isNarrow && actions.length > 1 ? (
            <MoreActions actions={actions} />
          ) : (
            actions.map((action) => <ToolbarIcon key={action.name} action={action} />)
          )}
        </div>
      </div>
    </header>
  )
}

/** As in the styles: the heading and the buttons have a line each. */
const NARROW = '(max-width: 47.99em)'

const activeText = (count: number) => (count === 1 ? ', 1 filtro ativo' : `, ${count} filtros ativos`)

const linkCopied = 'Link copiado.'
const linkCopiedAlone = 'Link copiado, sem o que foi clicado no relatório.'
const linkRefused = 'O link não pôde ser copiado. Copie-o da barra de endereços.'
