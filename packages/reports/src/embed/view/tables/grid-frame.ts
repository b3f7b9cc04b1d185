import type { EmbeddedVisual } from '../../../contract/embed-contract.ts'
import { el } from '../style/dom.ts'
import { cutSentence } from './readable-table.ts'

/** Creates the parts of both table and matrix: a table that scrolls, a note about rows left out. */
export function createGridFrame(visual: EmbeddedVisual, kind: 'tabela' | 'matriz', drawMore: () => void) {
  const [head, foot] = [el('thead'), el('tfoot')]
  const caption = el('caption', { class: 'hidden-text' }, visual.title)
  const table = el('table', { class: 'grid', 'data-visual': visual.name }, caption, head, foot)
  const label = `${visual.title}: ${kind}`
  const scroll = el('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': label }, table)
  const cut = el('p', { class: 'truncated' })
  scroll.addEventListener('scroll', () => {
    const left = scroll.scrollHeight - scroll.scrollTop - scroll.clientHeight
    if (left < scroll.clientHeight) drawMore()
  })
  return {
    element: el('div', { class: 'table-body' }, scroll, cut),
    ...{ scroll, table, head, foot },
    isCut: () => scroll.scrollHeight > scroll.clientHeight + 1,
    /** Says below the table what it leaves out. */
    tellOfCut(isCut: boolean, rows: number, ofColumns: string | undefined) {
      const sentences = [isCut && cutSentence(rows), ofColumns].filter(Boolean)
      cut.hidden = sentences.length === 0
      cut.textContent = sentences.join(' ')
    },
  }
}
