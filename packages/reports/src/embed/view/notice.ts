import { el } from './dom.ts'

/** A sentence in the place of what could not be shown, with a way to try again where there is one. */
export function createNotice(title: string, detail?: string, retry?: () => void): HTMLElement {
  const button = retry && el('button', { type: 'button', class: 'retry' }, 'Tentar novamente')
  if (retry) button?.addEventListener('click', retry)
  return el(
    'div',
    { class: 'notice', role: retry ? 'alert' : 'status' },
    el('p', { class: 'notice-title' }, title),
    detail && el('p', {}, detail),
    button,
  )
}
