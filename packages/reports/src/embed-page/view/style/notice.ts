import { buttonWith, el } from './dom.ts'

/** Creates a message in place of a visual or page; with `retry`, an error with a button. */
export const createNotice = (title: string, detail?: string, retry?: () => void): HTMLElement => {
  return el(
    'div',
    { class: 'notice', role: retry ? 'alert' : 'status' },
    el('p', { class: 'notice-title' }, title),
    detail && el('p', {}, detail),
    retry && buttonWith(retry, { class: 'retry' }, 'Tentar novamente'),
  )
}
