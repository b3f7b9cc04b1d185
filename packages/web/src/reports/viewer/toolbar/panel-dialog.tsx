import { Modal } from '@mantine/core'
import { useState } from 'react'
import { useIsPhone } from '../../../ui/folded-tools.tsx'
import { LoadedPanel, type PanelCode } from './loaded-panel.tsx'

/** The dialog about one report: another report closes it and forgets what was typed. */
export const usePanelDialog = <P,>(key: string) => {
  const [state, setState] = useState<{ key: string; isOpen: boolean; panel: P }>()
  const shown = state?.key === key ? state : undefined
  return {
    key,
    isOpen: shown?.isOpen ?? false,
    /** Properties of the panel; undefined before the dialog is opened. */
    panel: shown?.panel,
    open: (panel: P) => setState({ key, isOpen: true, panel }),
    close: () => setState((before) => before && { ...before, isOpen: false }),
  }
}

interface PanelDialogProps<P> extends PanelCode<P> {
  title: string
  isOpen: boolean
  panel: P | undefined
  close: () => void
}

/** A dialog of the toolbar, whose code is fetched when it opens. */
export const PanelDialog = <P extends object>(props: PanelDialogProps<P>) => {
  const { name, title, texts, load, isOpen, panel, close } = props
  const isPhone = useIsPhone()
  return (
    <Modal
      opened={isOpen}
      onClose={close}
      title={title}
      size="40rem"
      centered
      fullScreen={isPhone}
      // A click outside the dialog would lose what was typed.
      closeOnClickOutside={false}
      closeButtonProps={{ 'aria-label': 'Fechar' }}
    >
      {panel && <LoadedPanel name={name} texts={texts} load={load} panel={panel} />}
    </Modal>
  )
}
