/** Characters from which a value has a size of its own: the others would hardly be legible. */
const LONG_VALUE = 18

/** Gives all cards the font size of the longest value. */
export const alignCards = (canvas: ParentNode) => {
  const values = [...canvas.querySelectorAll<HTMLElement>('.card-value')]
  const lengths = values.map(({ textContent }) => textContent.length)
  const longest = Math.max(0, ...lengths.filter((length) => length < LONG_VALUE))
  const trend = canvas.querySelector('.with-trend') !== null
  for (const [index, value] of values.entries()) {
    const length = lengths[index] ?? 0
    value.style.setProperty('--characters', String(Math.max(length, longest)))
    value.closest('.card-body')?.classList.toggle('shared-trend', trend && length < LONG_VALUE)
  }
}
