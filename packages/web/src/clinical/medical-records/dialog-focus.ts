/**
 * Props for a dialog's content: focuses it and scrolls to its top when the dialog opens or its
 * content is replaced. Focusing the first field instead would open that field's list over the
 * others.
 */
export const dialogContentFocusProps = {
  ref: (element: HTMLElement | null) => {
    element?.focus({ preventScroll: true })
    element?.closest('[role="dialog"]')?.scrollTo(0, 0)
  },
  tabIndex: -1,
  'data-autofocus': true,
} as const
