import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf, isNumberKind } from '../style/column-format.ts'
import { el } from '../style/dom.ts'
import { formatCell, formatStored } from '../style/format.ts'
import { type ValueFormats, valueText } from '../style/value-formats.ts'
import { columnHeading } from './column-heading.ts'

/** Maximum rows and columns of a chart's table for screen readers. */
const READABLE_ROWS = 50
const READABLE_COLUMNS = 50

/** Creates a table of the data, for screen readers and tests. */
export const createReadableTable = (
  visual: EmbeddedVisual,
  given: VisualData,
  valueFormats: ValueFormats,
): HTMLTableElement => {
  // A card shows its last row and the one before; its trend is only an image.
  const data = visual.type === 'card' ? { ...given, rows: given.rows.slice(-2).toReversed() } : given
  const write = visual.hasStoredValues ? formatStored : formatCell
  const columns = data.columns.slice(0, READABLE_COLUMNS)
  const cuts = [
    data.rows.length > READABLE_ROWS && `as primeiras ${READABLE_ROWS} de ${data.rows.length} linhas`,
    data.columns.length > READABLE_COLUMNS &&
      `as primeiras ${READABLE_COLUMNS} de ${data.columns.length} colunas`,
  ].filter(Boolean)
  const more = cuts.length > 0 ? ` (${cuts.join(' e ')})` : ''
  const body = data.rows.slice(0, READABLE_ROWS).map((row) =>
    el(
      'tr',
      {},
      ...row.slice(0, READABLE_COLUMNS).map((value, column) =>
        el(
          'td',
          {
            class: value !== null && isNumberKind(data.kinds[column]) && 'number',
            'data-value': value === null ? '' : String(value),
          },
          valueText(value, formatOf(visual, data, data.columns[column] ?? ''), valueFormats, write),
        ),
      ),
    ),
  )
  return el(
    'table',
    { class: 'readable', 'data-visual': visual.name },
    el('caption', {}, `Dados: ${visual.title}${more}`),
    el(
      'thead',
      {},
      el('tr', {}, ...columns.map((name) => el('th', { scope: 'col' }, columnHeading(visual, name)))),
    ),
    el('tbody', {}, ...body),
  )
}

export const cutSentence = (rows: number, what = 'linhas') =>
  `Só as primeiras ${rows.toLocaleString('pt-BR')} ${what} são mostradas: há mais. Use os filtros para ver as outras.`
