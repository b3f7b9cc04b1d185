/** Limits an open list to 300 px (classes.options) and to the available height. */
export const fitHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}): void => {
  elements.floating.style.setProperty('--room', `${Math.max(120, availableHeight - 12)}px`)
}
