import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { reportInPath, reportPath, reportRoutes } from './report-path.ts'

const ids = {
  groupId: 'f4e7c1de-0000-4000-8000-000000000001',
  reportId: 'f4e7c1de-0000-4000-8000-000000000002',
}

test('a link carries workspace and report in lower case with hyphens, then the two ids', () => {
  expect(reportPath({ workspace: 'Custos Assistenciais', relatorio: 'Custo por Operadora', ...ids })).toBe(
    `/relatorio-embed/custos-assistenciais/custo-por-operadora/${ids.groupId}/${ids.reportId}`,
  )
})

test.each([
  ['Água 50% / mês', 'água-50%-/-mês'],
  ['Quê? #1 & 2', 'quê?-#1-&-2'],
  ['..', '-'],
  ['.', '-'],
  ['', '-'],
  ['\ud800', '\ufffd'],
])('the name %j survives the address and never changes where it leads', (name, expected) => {
  const path = reportPath({ workspace: name, relatorio: name, ...ids })
  const { pathname } = new URL(path, 'http://localhost')
  const match = matchRoutes([{ path: reportRoutes[0] }], pathname)?.at(-1)
  expect(match?.params).toEqual({ groupName: expected, relatorio: expected, ...ids })
  expect(reportInPath(pathname)).toEqual(ids)
})

test('the variant without the report name has the same ids; other pages have none', () => {
  expect(reportInPath(`/relatorio-embed/custos/${ids.groupId}/${ids.reportId}`)).toEqual(ids)
  expect(reportInPath('/saidibi')).toBeUndefined()
})
