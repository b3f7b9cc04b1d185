import { useEffect, useState } from 'react'
import { useLocation } from 'react-router'

const KEY = 'bi-manager.menu-fechado'

/** Desktop: open by default, and as the person left it. Phone: closed, and closed again by each navigation. */
export const useMenuState = (phone: boolean) => {
  const { key } = useLocation()
  const [desktopOpened, setDesktopOpened] = useState(() => localStorage.getItem(KEY) === null)
  const [phoneOpened, setPhoneOpened] = useState(false)

  // biome-ignore lint/correctness/useExhaustiveDependencies: every navigation closes it, to the same page too
  useEffect(() => setPhoneOpened(false), [key, phone])

  return {
    opened: phone ? phoneOpened : desktopOpened,
    toggle: () => {
      if (phone) return setPhoneOpened(!phoneOpened)
      setDesktopOpened(!desktopOpened)
      if (desktopOpened) localStorage.setItem(KEY, 'sim')
      else localStorage.removeItem(KEY)
    },
    close: () => setPhoneOpened(false),
  }
}
