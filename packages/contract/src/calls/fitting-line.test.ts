import { expect, test } from 'vitest'
import { fittingLine, requiredLine } from './fields.ts'

test.each([
  ['a text that fits', 'Gestão', 'Gestão'],
  ['a text of the maximal length', 'n'.repeat(20), 'n'.repeat(20)],
  ['a longer one, cut', 'Sinistralidade por operadora', 'Sinistralidade por…'],
  ['line breaks and other control characters', ' Saúde\r\n2026\u0000 ', 'Saúde 2026'],
  ['decomposed accents', 'Sau\u0301de', 'Saúde'],
  ['a lone surrogate', 'a\ud83d', 'a\ufffd'],
  ['a cut through an emoji', `${'n'.repeat(18)}😀 fim`, `${'n'.repeat(18)}…`],
])('fittingLine returns %s as a line that the API accepts', (_, text, line) => {
  expect(fittingLine(text, 20)).toBe(line)
  expect(requiredLine(20).parse(line)).toBe(line)
})
