/** Height of an open list with border, and its margin to the edge, in CSS px. */
const LIST_HEIGHT = 300 + 16
/** Height of the label and texts above the field, which stay visible, in CSS px. */
const ABOVE = 96

/**
 * Scrolls the field's container until an open list fits below it. The list opens downwards, so that
 * it covers neither the label nor what is above it, such as the name of the patient.
 */
export const scrollIntoRoom = (field: HTMLElement | null): void => {
  const scroller = field && scrollerOf(field)
  if (!scroller) return
  const { top, bottom } = field.getBoundingClientRect()
  const page = scroller === document.scrollingElement
  const edges = page ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
  // The visual viewport excludes a phone's on-screen keyboard.
  const end = Math.min(edges.bottom, window.visualViewport?.height ?? window.innerHeight)
  const lacking = bottom + LIST_HEIGHT - end
  const spare = top - ABOVE - Math.max(0, edges.top)
  if (lacking > 0 && spare > 0) scroller.scrollTop += Math.min(lacking, spare)
}

const scrollerOf = (element: Element): Element | null => {
  for (let one = element.parentElement; one; one = one.parentElement) {
    if (one.scrollHeight > one.clientHeight && /auto|scroll/.test(getComputedStyle(one).overflowY)) return one
  }
  return document.scrollingElement
}
