import { ActionIcon, Popover } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, type Ref, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

interface TopPopupProps {
  /** Names the dialog for screen readers. */
  label: string
  /** The accessible name of the button; the default is `label`. */
  name?: string
  icon: Icon
  /** Shown on top of the icon. */
  badge?: ReactNode
  buttonRef?: Ref<HTMLButtonElement>
  /** Width in rem, where it fits. */
  width?: number
  children: (close: () => void) => ReactNode
}

/**
 * A button of the top bar with a popup, which traps the focus and closes with Esc and on
 * navigation.
 */
export const TopPopup = (props: TopPopupProps) => {
  const { label, name = label, icon: IconOf, badge, buttonRef, width = 20, children } = props
  const [opened, setOpened] = useState(false)
  const { key } = useLocation()
  const close = () => setOpened(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on each navigation, even to the same page
  useEffect(close, [key])

  return (
    <Popover
      opened={opened}
      onChange={setOpened}
      position="bottom-end"
      offset={12}
      shadow="lg"
      trapFocus
      returnFocus
      width={`min(${width}rem, calc(100vw - 1.5rem))`}
    >
      <Popover.Target>
        <ActionIcon
          ref={buttonRef}
          size="lg"
          aria-label={name}
          style={{ overflow: 'visible' }}
          onClick={() => setOpened(!opened)}
        >
          <IconOf size={21} stroke={1.6} aria-hidden />
          {badge}
        </ActionIcon>
      </Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(close)}</Popover.Dropdown>
    </Popover>
  )
}
