import { useEffect, useRef } from 'react'
import { scrollerOf } from '../../ui/search-select/scroll-into-room.ts'

/** Milliseconds after which a workspace of the menu has opened. */
const OPENED_MS = 200

/** Scrolls the menu until the element is visible, once `isCurrent`; the page stays where it is. */
export const useInView = <E extends HTMLElement>(isCurrent: boolean) => {
  const element = useRef<E>(null)
  useEffect(() => {
    if (!isCurrent) return
    const timer = setTimeout(() => element.current && scrollIntoView(element.current), OPENED_MS)
    return () => clearTimeout(timer)
  }, [isCurrent])
  return element
}

const scrollIntoView = (element: HTMLElement): void => {
  const scroller = scrollerOf(element)
  if (!scroller || scroller === document.scrollingElement) return
  const { top, bottom } = element.getBoundingClientRect()
  const room = scroller.getBoundingClientRect()
  if (top < room.top || bottom > room.bottom) scroller.scrollTop += top - room.top - room.height / 2
}
