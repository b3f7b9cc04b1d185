type Attributes = Record<string, string | number | boolean | undefined>
type Child = Node | string | false | null | undefined

/** Creates an element. `true` sets an empty attribute; `false` and `undefined` set none. */
export const el = <K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] => {
  return filled(document.createElement(tag), attributes, children)
}

/** Creates a button that calls `press` at each click. */
export const buttonWith = (press: () => void, attributes: Attributes, ...children: Child[]) => {
  const button = el('button', { type: 'button', ...attributes }, ...children)
  button.addEventListener('click', press)
  return button
}

export const svg = (tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement =>
  filled(document.createElementNS('http://www.w3.org/2000/svg', tag), attributes, children)

const filled = <E extends Element>(element: E, attributes: Attributes, children: Child[]): E => {
  setAttributes(element, attributes)
  element.append(...children.filter((child) => child !== false && child != null))
  return element
}

/** Creates an icon: one path in a box of 10 × 10. */
export const icon = (path: string, size: number) =>
  svg(
    'svg',
    { viewBox: '0 0 10 10', width: size, height: size, 'aria-hidden': 'true' },
    svg('path', { d: path, fill: 'currentColor' }),
  )

/** Sets attributes that have a value and removes the others. */
export const setAttributes = (element: Element, attributes: Attributes) => {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** Returns a unique id for labels: visuals of two pages may share a name. */
export const uniqueId = (prefix: string) => `${prefix}-${Math.random().toString(36).slice(2)}`

export const prefersStillness = () => window.matchMedia('(prefers-reduced-motion: reduce)').matches
