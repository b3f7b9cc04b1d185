/**
 * Ref of a part of the viewer that may go by itself: the viewer takes over the focus that goes with it. It would fall to the
 * page's body, and whoever goes by keyboard or screen reader would begin at the top again.
 */
export const handFocusOn = (part: HTMLElement | null) => () => {
  if (!part?.contains(document.activeElement)) return
  part.closest<HTMLElement>('section[tabindex="-1"]')?.focus({ preventScroll: true })
}
