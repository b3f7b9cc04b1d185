import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { el, setAttributes } from '../style/dom.ts'
import { type ColumnCounts, columnsSentence, cutTextsSentence } from './drawn-columns.ts'
import { cutSentence } from './readable-table.ts'

/** The rows of a matrix's answer are its cells. */
const CELLS = 'combinações de linha e coluna'

/** Creates the parts of both table and matrix: a table that scrolls, a note about rows left out. */
export const createGridFrame = (visual: EmbeddedVisual, kind: 'tabela' | 'matriz', drawMore: () => void) => {
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
    scroll,
    table,
    head,
    foot,
    isCut: () => scroll.scrollHeight > scroll.clientHeight + 1,
    /** Says below the table which rows, columns and ends of texts it leaves out. */
    showCut({ truncated: isCut, rows: { length: rows }, cutTexts = 0 }: VisualData, columns: ColumnCounts) {
      const isNarrowed = columns.drawn < columns.all
      setAttributes(table, { 'aria-colcount': isNarrowed && columns.all })
      cut.hidden = !isCut && !isNarrowed && cutTexts === 0
      cut.replaceChildren(
        isCut ? `${cutSentence(rows, kind === 'matriz' ? CELLS : undefined)} ` : '',
        isNarrowed ? el('span', { class: 'cut-columns' }, columnsSentence(columns)) : '',
        cutTexts > 0 ? `${isNarrowed ? ' ' : ''}${cutTextsSentence(cutTexts)}` : '',
      )
    },
  }
}
