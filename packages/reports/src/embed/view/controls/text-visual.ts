import type { EmbeddedVisual } from '../../../contract/embed-contract.ts'
import { el } from '../style/dom.ts'

/** Creates the author's text as paragraphs; it is never parsed as HTML. */
export function createText({ title, text = [] }: EmbeddedVisual): HTMLElement {
  const paragraphs = (Array.isArray(text) ? text : [text]).filter((paragraph) => paragraph.trim())
  return el(
    'div',
    { class: 'text-body', tabindex: 0, role: 'group', 'aria-label': title },
    ...paragraphs.map((paragraph) => el('p', {}, paragraph)),
  )
}
