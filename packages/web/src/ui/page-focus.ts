/** Focuses the page's heading, after the focused element was removed. */
export const focusPageHeading = (): void => {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** A ref callback that focuses an element when it replaces the focused one. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })

/** Call after a dialog closes: focuses the heading if the element to return to was removed. */
export const restoreFocusAfterDialog = (): void => {
  if (document.activeElement === document.body) focusPageHeading()
}
