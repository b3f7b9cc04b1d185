type Attributes = Record<string, string | number | boolean | undefined>
type Child = Node | string | false | null | undefined

/** An element with its attributes and children. `true` sets an empty attribute; `false` and `undefined` set none. */
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

/** Sets what has a value and removes what has none. */
export function setAttributes(element: Element, attributes: Attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === undefined || value === false) element.removeAttribute(name)
    else element.setAttribute(name, value === true ? '' : String(value))
  }
}

/** The document's ids for labels; one counter, so that two visuals of one name never share one. */
export const nextId = (prefix: string) => `${prefix}-${++ids}`
let ids = 0

const isShown = (child: Child): child is Node | string => child !== false && child != null
