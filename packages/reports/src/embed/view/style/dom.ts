type Attributes = Record<string, string | number | boolean | undefined>
type Child = Node | string | false | null | undefined

/** Creates an element. `true` sets an empty attribute; `false` and `undefined` set none. */
export function el<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag)
  setAttributes(element, attributes)
  element.append(...children.filter(isShown))
  return element
}

export function svg(tag: string, attributes: Attributes = {}, ...children: Child[]): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag)
  setAttributes(element, attributes)
  element.append(...children.filter(isShown))
  return element
}

/** Sets attributes that have a value and removes the others. */
export function setAttributes(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** Returns a unique id for labels: visuals of two pages may share a name. */
export const uniqueId = (prefix: string) => `${prefix}-${Math.random().toString(36).slice(2)}`

const isShown = (child: Child): child is Node | string => child !== false && child != null
