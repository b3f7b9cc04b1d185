import { ActionIcon, Modal, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { useIsPhone } from '../../../ui/folded-tools.tsx'
import { LoadedPanel, type PanelCode } from './loaded-panel.tsx'
import classes from './viewer-toolbar.module.css'

interface PanelButtonProps<P> extends Pick<PanelCode<P>, 'load' | 'texts'> {
  label: string
  icon: Icon
  /** Of the dialog. */
  title: string
  /** Whether the report is open. */
  isReady: boolean
  /** Properties of the dialog; undefined before it is opened. */
  panel: P | undefined
  isOpen: boolean
  onToggle: (isOpen: boolean) => void
}

/** A button of the toolbar with a dialog, whose code is fetched on hover or focus. */
export const PanelButton = <P extends object>(props: PanelButtonProps<P>) => {
  const { label, icon: IconOf, title, texts, load, isReady, panel, isOpen, onToggle } = props
  const isPhone = useIsPhone()
  // Errors are ignored: opening the dialog fetches the chunk again and shows the error.
  const preload = () => void load().catch(() => undefined)
  return (
    <>
      <Tooltip label={label} openDelay={400} disabled={isOpen}>
        <ActionIcon
          size="lg"
          className={classes.icon}
          aria-label={label}
          aria-haspopup="dialog"
          disabled={!isReady}
          onPointerEnter={preload}
          onFocus={preload}
          onClick={() => onToggle(true)}
        >
          <IconOf size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Tooltip>
      <Modal
        opened={isOpen}
        onClose={() => onToggle(false)}
        title={title}
        size="40rem"
        centered
        fullScreen={isPhone}
        // A click outside the dialog would lose what was typed.
        closeOnClickOutside={false}
        closeButtonProps={{ 'aria-label': 'Fechar' }}
      >
        {panel && <LoadedPanel name={label} {...{ texts, load, panel }} />}
      </Modal>
    </>
  )
}
