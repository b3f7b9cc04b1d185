import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const KEY = 'bi-manager.menu-fechado'

/** Wider windows (px) have room for the menu, a page and the panel beside it. */
const ROOMY = 1600

/**
 * Desktop: open by default, and as the person left it; it gives way while something stands beside the page, unless it is opened.
 * Phone: closed, and closed again by each navigation.
 */
export const useMenuState = (phone: boolean, isCrowded: boolean) => {
  const { key } = useLocation()
  const [desktopOpened, setDesktopOpened] = useState(() => localStorage.getItem(KEY) === null)
  const [isInsisted, setInsisted] = useState(false)
  const [phoneOpened, setPhoneOpened] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes it, to the same page too
  useEffect(() => setPhoneOpened(false), [key, phone])

  // biome-ignore lint/correctness/useExhaustiveDependencies: each time it gets crowded, it gives way anew
  useEffect(() => setInsisted(false), [isCrowded])

  const givesWay = isCrowded && !isInsisted && window.innerWidth < ROOMY
  const desktopShown = desktopOpened && !givesWay
  return {
    opened: phone ? phoneOpened : desktopShown,
    toggle: () => {
      if (phone) return setPhoneOpened(!phoneOpened)
      setInsisted(true)
      setDesktopOpened(!desktopShown)
      if (desktopShown) localStorage.setItem(KEY, 'sim')
      else localStorage.removeItem(KEY)
    },
    close: () => setPhoneOpened(false),
  }
}
