/**
 * Ref callback for a part of the viewer that may unmount while it has the focus. Its cleanup moves
 * the focus to the viewer; the browser would move it to the body, where keyboard and screen reader
 * users restart at the top.
 */
export const returnFocusToViewer = (part: HTMLElement | null) => () => {
  if (!part?.contains(document.activeElement)) return
  part.closest<HTMLElement>('section[tabindex="-1"]')?.focus({ preventScroll: true })
}
