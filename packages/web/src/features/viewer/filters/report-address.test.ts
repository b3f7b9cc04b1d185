import { expect, test } from 'vitest'
import { filterPart, pageIn, searchWithPage, withoutInvalid } from './report-address.ts'

const search = (text: string) => new URLSearchParams(text)

test('adds and removes the page parameter without changing the filters', () => {
  const turned = searchWithPage(search('sexo=feminino'), 'ReportSection_1')
  expect(turned.toString()).toBe('sexo=feminino&pagina=ReportSection_1')
  expect(pageIn(turned)).toBe('ReportSection_1')
  expect(searchWithPage(turned, undefined).toString()).toBe('sexo=feminino')
  expect(filterPart(turned)).toBe(filterPart(search('sexo=feminino')))
})

test.each([
  ['operadora=NADA', '', true],
  ['operadora=CNU&sexo=x&aba=2', 'operadora=CNU&aba=2', true],
  ['operadora=&sexo=masculino', 'operadora=&sexo=masculino', false],
  ['pagina=../x', '', false],
  ['relatorio=12&pagina=a', 'relatorio=12&pagina=a', false],
  ['relatorio=x', '', false],
])('withoutInvalid reduces %j to %j', (text, kept, hadInvalidFilter) => {
  const cleaned = withoutInvalid(search(text))
  expect([cleaned.search.toString(), cleaned.hadInvalidFilter]).toEqual([kept, hadInvalidFilter])
})
