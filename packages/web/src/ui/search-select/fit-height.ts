/** An open list is at most 300 px high (classes.options) and never higher than the room there is. */
export const fitHeight = ({
  availableHeight,
  elements,
}: {
  availableHeight: number
  elements: { floating: HTMLElement }
}): void => {
  elements.floating.style.setProperty('--room', `${Math.max(120, availableHeight - 12)}px`)
}
