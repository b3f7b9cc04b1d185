import { ActionIcon, Popover, Tooltip } from '@mantine/core'
import type { Icon } from '@tabler/icons-react'
import { type ReactNode, type Ref, useCallback, useEffect, useState } from 'react'
import classes from './viewer-toolbar.module.css'

interface ReportPopoverProps {
  /** Names the button and the popover. */
  label: string
  icon: Icon
  /** Width in rem, where it fits. */
  width: number
  isDisabled: boolean
  isBusy?: boolean
  /** True while a dialog opened from the popover is in front of it. */
  stays?: boolean
  /** Closes the popover when it becomes true. */
  closesOn?: boolean
  /** Called when the button is about to be pressed. */
  onNear?: () => void
  dropdown?: Ref<HTMLDivElement>
  children: (close: () => void) => ReactNode
}

/**
 * A button of the toolbar with a popover over the report. Mantine's Popover gets neither clicks in
 * the report's iframe nor, once the focus has left it, Escape.
 */
export const ReportPopover = (props: ReportPopoverProps) => {
  const { label, icon: IconOf, width, isDisabled, isBusy, stays = false, closesOn = false } = props
  const { onNear, dropdown, children } = props
  const [{ isOpen, returnFocus }, set] = useState({ isOpen: false, returnFocus: true })
  const setOpen = useCallback((next: boolean) => set({ isOpen: next, returnFocus: true }), [])
  useEffect(() => {
    if (closesOn) setOpen(false)
  }, [closesOn, setOpen])
  useEffect(() => {
    if (!isOpen || stays) return undefined
    const life = new AbortController()
    const { signal } = life
    // The focus moved into the report: keep it there.
    const left = () =>
      document.activeElement instanceof HTMLIFrameElement && set({ isOpen: false, returnFocus: false })
    window.addEventListener('blur', left, { signal })
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && setOpen(false), { signal })
    return () => life.abort()
  }, [isOpen, stays, setOpen])
  return (
    <Popover
      opened={isOpen && !isDisabled}
      onChange={setOpen}
      position="bottom-end"
      width={`min(${width}rem, calc(100vw - 1.5rem))`}
      shadow="lg"
      radius="lg"
      closeOnClickOutside={!stays}
      closeOnEscape={!stays}
      trapFocus={!stays}
      returnFocus={returnFocus}
    >
      <Popover.Target>
        <Tooltip label={label} openDelay={400} disabled={isOpen}>
          <ActionIcon
            size="lg"
            className={classes.icon}
            aria-label={label}
            aria-busy={isBusy}
            disabled={isDisabled}
            onPointerEnter={onNear}
            onFocus={onNear}
            onClick={() => setOpen(!isOpen)}
          >
            <IconOf size={20} stroke={1.7} aria-hidden />
          </ActionIcon>
        </Tooltip>
      </Popover.Target>
      <Popover.Dropdown ref={dropdown} aria-label={label}>
        {children(() => setOpen(false))}
      </Popover.Dropdown>
    </Popover>
  )
}
