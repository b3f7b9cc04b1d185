import { Popover } from '@mantine/core'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'react-router'

interface TopPopupProps {
  /** Names the dialog for screen readers. */
  label: string
  /** Renders the button; receives the toggle. */
  target: (toggle: () => void) => ReactNode
  /** Width in rem, where it fits. */
  width?: number
  children: (close: () => void) => ReactNode
}

/** A popup of the top bar: traps and restores the focus; closes with Esc and on navigation. */
export const TopPopup = ({ label, target, width = 20, children }: TopPopupProps) => {
  const [opened, setOpened] = useState(false)
  const { key } = useLocation()
  const close = () => setOpened(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on every navigation, even to the same page
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
