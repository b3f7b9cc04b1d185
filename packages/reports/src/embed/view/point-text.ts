import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { toneNames, toneOf } from './conditional-looks.ts'
import { columnHeading } from './readable-table.ts'
import { type ValueFormats, valueText } from './value-looks.ts'

/** Describes one row for screen readers: 'Bradesco: Sinistralidade 82,3%, Atenção; 2 de 4'. */
export function pointText(
  visual: EmbeddedVisual,
  { columns, rows }: VisualData,
  index: number,
  looks: ValueFormats,
): string {
  const row = rows[index] ?? []
  const [name = '', ...facts] = columns.map((column, place) => {
    const text = valueText(row[place], visual.format[column], looks)
    const tone = toneOf(visual.conditional[column], row[place])
    if (place === 0) return text
    return [`${columnHeading(visual, column)} ${text}`, tone && toneNames[tone]].filter(Boolean).join(', ')
  })
  return `${[name, facts.join('; ')].filter(Boolean).join(': ')}; ${index + 1} de ${rows.length}`
}
