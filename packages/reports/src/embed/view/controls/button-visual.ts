import type { EmbeddedVisual } from '../../../contract/embed-contract.ts'
import { el } from '../style/dom.ts'

export function createButton({ title, subtitle }: EmbeddedVisual, press: () => void): HTMLElement {
  const button = el(
    'button',
    { type: 'button', class: 'action' },
    el('span', { class: 'action-title' }, title),
    subtitle && el('span', { class: 'action-subtitle' }, subtitle),
  )
  button.addEventListener('click', press)
  return button
}
