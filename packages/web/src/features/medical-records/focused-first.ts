/**
 * Of what a dialog shows: the focus goes there when the dialog opens, and when this takes the place of what had it; from its
 * beginning, however far the former was scrolled. Not to the first field, whose list would open over the others.
 */
export const focusedFirst = {
  ref: (element: HTMLElement | null) => {
    element?.focus({ preventScroll: true })
    element?.closest('[role="dialog"]')?.scrollTo(0, 0)
  },
  tabIndex: -1,
  'data-autofocus': true,
} as const
