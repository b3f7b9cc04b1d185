import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'
import { OF_SESSION } from '../../lib/session/session.ts'

const KEY = `${OF_SESSION}menu-fechado`

/**
 * Desktop: open by default; the choice is kept until the session ends. The menu is hidden while the page has
 * too little room next to it, unless the person opens it. Phone: closed by default, and closed by each
 * navigation.
 */
export const useMenuState = (phone: boolean, isCrowded: boolean) => {
  const { key } = useLocation()
  const [desktopOpened, setDesktopOpened] = useState(() => localStorage.getItem(KEY) === null)
  const [isInsisted, setInsisted] = useState(false)
  const [phoneOpened, setPhoneOpened] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: closes on each navigation, even to the same page
  useEffect(() => setPhoneOpened(false), [key, phone])

  // biome-ignore lint/correctness/useExhaustiveDependencies: hides again each time the window gets crowded
  useEffect(() => setInsisted(false), [isCrowded])

  const givesWay = isCrowded && !isInsisted
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
