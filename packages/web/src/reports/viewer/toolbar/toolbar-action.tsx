import { ActionIcon, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import classes from './viewer-toolbar.module.css'

/** An action of the toolbar: an icon with a tooltip, or on a phone an entry of 'Mais ações'. */
export interface ToolbarAction {
  name: string
  icon: Icon
  isDisabled: boolean
  isBusy?: boolean
  opensDialog?: boolean
  run: () => void
  /** Called when the pointer or the focus reaches the action. */
  onNear?: () => void
}

export const ToolbarIcon = ({ action }: { action: ToolbarAction }) => {
  const { name, icon: IconOf, isDisabled, isBusy, opensDialog, run, onNear } = action
  return (
    <Tooltip label={name} openDelay={400}>
      <ActionIcon
        size="lg"
        className={classes.icon}
        aria-label={name}
        aria-haspopup={opensDialog ? 'dialog' : undefined}
        aria-busy={isBusy}
        disabled={isDisabled}
        onPointerEnter={onNear}
        onFocus={onNear}
        onClick={run}
      >
        <IconOf size={20} stroke={1.7} aria-hidden />
      </ActionIcon>
    </Tooltip>
  )
}
