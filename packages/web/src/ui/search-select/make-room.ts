/** CSS pixels of an open list with its border, and of what is left between it and the edge. */
const LIST_HEIGHT = 300 + 16
/** Of the field's label and what is said over the field, which stay in sight. */
const ABOVE = 96

/**
 * A list opens under its field, where it covers neither the label nor what stands above (whom a record is about). Where there is
 * no room, what scrolls around the field is scrolled first.
 */
export const makeRoomUnder = (field: HTMLElement | null): void => {
  const scroller = field && scrollerOf(field)
  if (!scroller) return
  const { top, bottom } = field.getBoundingClientRect()
  const page = scroller === document.scrollingElement
  const edges = page ? { top: 0, bottom: window.innerHeight } : scroller.getBoundingClientRect()
  // A telephone's keyboard covers what it covers.
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
