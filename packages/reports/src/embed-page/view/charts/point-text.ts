import { ownValue } from '@bi-manager/contract/own-value'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { formatOf } from '../style/column-format.ts'
import { toneNames, toneOf } from '../style/conditional-formats.ts'
import { nameText, type ValueFormats, valueText } from '../style/value-formats.ts'
import { columnHeading } from '../tables/column-heading.ts'

/** Describes one row for screen readers: 'Bradesco: Sinistralidade 82,3%, Atenção; 2 de 4'. */
export function pointText(
  visual: EmbeddedVisual,
  data: VisualData,
  index: number,
  valueFormats: ValueFormats,
): string {
  const { columns, kinds, rows } = data
  const row = rows[index] ?? []
  const [name = '', ...facts] = columns.map((column, columnIndex) => {
    const write = columnIndex === 0 ? nameText : valueText
    const text = write(row[columnIndex], formatOf(visual, data, column), valueFormats)
    const tone = toneOf(ownValue(visual.conditional, column), row[columnIndex], kinds[columnIndex])
    if (columnIndex === 0) return text
    return [`${columnHeading(visual, column)} ${text}`, tone && toneNames[tone]].filter(Boolean).join(', ')
  })
  return `${[name, facts.join('; ')].filter(Boolean).join(': ')}; ${index + 1} de ${rows.length}`
}
