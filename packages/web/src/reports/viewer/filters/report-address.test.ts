import { specifiedPanel } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import {
  filterPart,
  hasNoViewParams,
  pageIn,
  searchWithPage,
  withoutInvalid,
  withoutUnusable,
} from './report-address.ts'

const search = (text: string) => new URLSearchParams(text)

test('the report address adds and removes the page parameter without changing the filters', () => {
  const turned = searchWithPage(search('sexo=feminino'), 'ReportSection_1')
  expect(turned.toString()).toBe('sexo=feminino&pagina=ReportSection_1')
  expect(pageIn(turned)).toBe('ReportSection_1')
  expect(searchWithPage(turned, undefined).toString()).toBe('sexo=feminino')
  expect(filterPart(turned)).toBe(filterPart(search('sexo=feminino')))
})

test.each([
  ['pagina=../x', ''],
  ['relatorio=12&pagina=a', 'relatorio=12&pagina=a'],
  ['relatorio=x&sexo=feminino', 'sexo=feminino'],
])('withoutInvalid reduces %j to %j', (text, kept) => {
  expect(withoutInvalid(search(text)).toString()).toBe(kept)
})

test.each([
  ['operadora=NADA', '', true, []],
  ['operadora=CNU&sexo=x&aba=2', 'operadora=CNU&aba=2', true, []],
  ['operadora=&sexo=masculino', 'operadora=&sexo=masculino', false, []],
  ['titularidade=consulta&sexo=', 'titularidade=consulta&sexo=', false, []],
  ['T/cor=azul&sexo=feminino', 'sexo=feminino', false, ['T/cor']],
])('withoutUnusable reduces %j to %j', (text, kept, hadInvalidFilter, missing) => {
  const cleaned = withoutUnusable(search(text), specifiedPanel)
  expect([cleaned.search.toString(), cleaned.hadInvalidFilter]).toEqual([kept, hadInvalidFilter])
  expect(cleaned.missing.map(({ nome }) => nome)).toEqual(missing)
})

test("withoutUnusable names the specification's filters that the report lacks by their label", () => {
  const { missing } = withoutUnusable(search('operadora=CNU&sexo='), [])
  expect(missing).toEqual([{ nome: 'operadora', rotulo: 'Operadora' }])
})

test.each([
  ['relatorio=7', true],
  ['pagina=p1', false],
  ['sexo=feminino', false],
  ['relatorio=7&assinatura=5', false],
])('the default view applies to %j: %j', (text, applies) => {
  expect(hasNoViewParams(search(text))).toBe(applies)
})
