import { Modal } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { useState } from 'react'
import { useIsPhone } from '../../../ui/folded-tools.tsx'
import { LoadedPanel, type PanelCode } from './loaded-panel.tsx'
import type { ToolbarAction } from './toolbar-action.tsx'

interface PanelTool<P> extends PanelCode<P> {
  title: string
  icon: Icon
}

interface PanelOptions<P, O> {
  /** Of the report: another one closes the dialog and forgets what was typed. */
  key: string
  /** What the toolbar's button opens the dialog with; undefined while it cannot. */
  opening: O | undefined
  /** Returns the properties of the panel. */
  panelOf: (opened: O, close: () => void) => P
}

/** The button of the toolbar that opens a dialog about one report, and the dialog. */
export const usePanelDialog = <P extends object, O>(
  { name, title, icon, texts, load }: PanelTool<P>,
  { key, opening, panelOf }: PanelOptions<P, O>,
) => {
  const [state, setState] = useState<{ key: string; isOpen: boolean; opened: O }>()
  const isPhone = useIsPhone()
  const shown = state?.key === key ? state : undefined
  const open = (opened: O) => setState({ key, isOpen: true, opened })
  const close = () => setState((before) => before && { ...before, isOpen: false })
  const action: ToolbarAction = {
    name,
    icon,
    isDisabled: opening === undefined,
    opensDialog: true,
    run: () => opening !== undefined && open(opening),
    // Errors are ignored: opening the dialog fetches the chunk again and shows the error.
    onNear: () => void load().catch(() => undefined),
  }
  const dialog = (
    <Modal
      key={`${name} ${key}`}
      opened={shown?.isOpen ?? false}
      onClose={close}
      title={title}
      size="40rem"
      centered
      fullScreen={isPhone}
      // A click outside the dialog would lose what was typed.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {shown && <LoadedPanel name={name} texts={texts} load={load} panel={panelOf(shown.opened, close)} />}
    </Modal>
  )
  return { open, action, dialog }
}
