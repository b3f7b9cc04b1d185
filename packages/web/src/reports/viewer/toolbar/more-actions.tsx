import '@mantine/core/styles/Menu.layer.css'
import { ActionIcon, Menu } from '@mantine/core'
import { IconDots } from '@tabler/icons-react'
import { useRef } from 'react'
import type { ToolbarAction } from './toolbar-action.tsx'
import classes from './viewer-toolbar.module.css'

/** A phone's 'Mais ações': the actions by name, since a finger shows no tooltip. */
export const MoreActions = ({ actions }: { actions: ToolbarAction[] }) => {
  const button = useRef<HTMLButtonElement>(null)
  return (
    <Menu position="bottom-end" shadow="lg" radius="lg" width={220} returnFocus>
      <Menu.Target>
        <ActionIcon
          ref={button}
          size="lg"
          className={classes.icon}
          aria-label="Mais ações"
          disabled={actions.every(({ isDisabled }) => isDisabled)}
        >
          <IconDots size={20} stroke={1.7} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map(({ name, icon: IconOf, isDisabled, run, onNear }) => (
          <Menu.Item
            key={name}
            leftSection={<IconOf size={18} stroke={1.7} aria-hidden />}
            disabled={isDisabled}
            onFocus={onNear}
            onClick={() => {
              // A dialog returns the focus to what had it, and the entry no longer exists then.
              button.current?.focus()
              run()
            }}
          >
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
