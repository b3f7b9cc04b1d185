import { useCallback, useEffect, useState } from 'react'

/**
 * What the bar opens over the report, for Mantine's Popover. That one hears neither of a click in the report's frame nor, once
 * the focus has fallen out of it, of Escape. `stays`: something that was opened from it is in front.
 */
export const useReportPopover = (stays = false) => {
  const [{ isOpen, returnFocus }, set] = useState({ isOpen: false, returnFocus: true })
  const setOpen = useCallback((next: boolean) => set({ isOpen: next, returnFocus: true }), [])
  useEffect(() => {
    if (!isOpen || stays) return undefined
    const life = new AbortController()
    const { signal } = life
    // Whoever has gone into the report stays there.
    const left = () =>
      document.activeElement instanceof HTMLIFrameElement && set({ isOpen: false, returnFocus: false })
    window.addEventListener('blur', left, { signal })
    document.addEventListener('keydown', ({ key }) => key === 'Escape' && setOpen(false), { signal })
    return () => life.abort()
  }, [isOpen, stays, setOpen])
  return { isOpen, setOpen, returnFocus }
}
