import { Popover } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

interface TopPopupProps {
  /** Names the dialog for screen readers. */
  label: string
  /** The button; it gets the toggle. */
  target: (toggle: () => void) => ReactNode
  /** In rem, where there is room. */
  width?: number
  children: (close: () => void) => ReactNode
}

/** A popup of the top bar: traps the focus, gives it back, closes with Esc and when the page changes. */
export const TopPopup = ({ label, target, width = 20, children }: TopPopupProps) => {
  const [opened, setOpened] = useState(false)
  const { key } = useLocation()
  const close = () => setOpened(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes it, to the same page too
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
      <Popover.Target>{target(() => setOpened(!opened))}</Popover.Target>
      <Popover.Dropdown aria-label={label}>{children(close)}</Popover.Dropdown>
    </Popover>
  )
}
