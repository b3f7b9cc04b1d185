/** Height of an open list with its border, plus a gap below it, in CSS px. */
const LIST_HEIGHT = 300 + 16
/** Height of the label and texts above the field, which stay visible, in CSS px. */
const HEIGHT_ABOVE = 96

/**
 * Scrolls the field's container until an open list fits below it. The list opens downwards, so that
 * it covers neither the label nor what is above it, such as the name of the patient.
 */
export const scrollIntoRoom = (field: HTMLElement | null): void => {
  const scroller = field && scrollerOf(field)
  if (!scroller) return
  const { top, bottom } = field.getBoundingClientRect()
  const isPage = scroller === document.scrollingElement
  const edges = isPage ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
  // The visual viewport excludes a phone's on-screen keyboard.
  const end = Math.min(edges.bottom, window.visualViewport?.height ?? window.innerHeight)
  const missing = bottom + LIST_HEIGHT - end
  const scrollable = top - HEIGHT_ABOVE - Math.max(0, edges.top)
  if (missing > 0 && scrollable > 0) scroller.scrollTop += Math.min(missing, scrollable)
}

/** Returns the nearest ancestor that scrolls, or the page. */
export const scrollerOf = (element: Element): Element | null => {
  for (let one = element.parentElement; one; one = one.parentElement) {
    if (one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one
  }
  return document.scrollingElement
}
