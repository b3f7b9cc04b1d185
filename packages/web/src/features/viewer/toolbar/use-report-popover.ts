import { useCallback, useEffect, useState } from 'react'

/**
 * Controls a Mantine Popover over the report. Popover gets neither clicks in the report's iframe
 * nor, once the focus has left it, Escape.
 * @param stays true while a dialog opened from the popover is in front of it
 */
export const useReportPopover = (stays = false) => {
  const [{ isOpen, returnFocus }, set] = useState({ isOpen: false, returnFocus: true })
  const setOpen = useCallback((next: boolean) => set({ isOpen: next, returnFocus: true }), [])
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
  return { isOpen, setOpen, returnFocus }
}
