import { ownValue } from '@bi-manager/contract/own-value'
import type { EmbeddedVisual, VisualData } from '../../../contract/embed-contract.ts'
import { toneNames, toneOf } from '../style/conditional-formats.ts'
import { type ValueFormats, valueText } from '../style/value-formats.ts'
import { columnHeading } from '../tables/column-heading.ts'

/** Describes one row for screen readers: 'Bradesco: Sinistralidade 82,3%, Atenção; 2 de 4'. */
export function pointText(
  visual: EmbeddedVisual,
  { columns, rows }: VisualData,
  index: number,
  valueFormats: ValueFormats,
): string {
  const row = rows[index] ?? []
  const [name = '', ...facts] = columns.map((column, columnIndex) => {
    const text = valueText(row[columnIndex], ownValue(visual.format, column), valueFormats)
    const tone = toneOf(ownValue(visual.conditional, column), row[columnIndex])
    if (columnIndex === 0) return text
    return [`${columnHeading(visual, column)} ${text}`, tone && toneNames[tone]].filter(Boolean).join(', ')
  })
  return `${[name, facts.join('; ')].filter(Boolean).join(': ')}; ${index + 1} de ${rows.length}`
}
