/** Leads the focus to the page's heading, where what had it is gone. */
export const focusPageHeading = (): void => {
  const heading = document.querySelector<HTMLElement>('main h1')
  heading?.setAttribute('tabindex', '-1')
  heading?.focus({ preventScroll: true })
}

/** As a ref: leads the focus to what has just taken the place of what had it. */
export const focusOnMount = (element: HTMLElement | null): void => element?.focus({ preventScroll: true })

/** After a dialog: its row may be gone, and the button that the focus would have gone back to. */
export const focusLeftPage = (): void => {
  if (document.activeElement === document.body) focusPageHeading()
}
