import { reportPath } from '@bi-manager/contract'
import { matchRoutes } from 'react-router'
import { expect, test } from 'vitest'
import { registrationIn, reportInAddress, reportRoutes } from './report-path.ts'

const ids = {
  groupId: 'f4e7c1de-0000-4000-8000-000000000001',
  reportId: 'f4e7c1de-0000-4000-8000-000000000002',
}

test('reportPath contains workspace and report as slugs, then both ids', () => {
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
])('reportPath encodes the name %j without changing the route', (name, expected) => {
  const path = reportPath({ workspace: name, relatorio: name, ...ids })
  const { pathname } = new URL(path, 'http://localhost')
  const match = matchRoutes([{ path: reportRoutes[0] }], pathname)?.at(-1)
  expect(match?.params).toEqual({ groupName: expected, relatorio: expected, ...ids })
  expect(reportInAddress({ pathname, search: '' })).toEqual(ids)
})

test('reportInAddress reads the address without a report name, and nothing from other pages', () => {
  const pathname = `/relatorio-embed/custos/${ids.groupId}/${ids.reportId}`
  expect(reportInAddress({ pathname, search: '' })).toEqual(ids)
  expect(reportInAddress({ pathname: '/saidibi', search: '' })).toBeUndefined()
})

test('reportPath may name the registration', () => {
  const path = reportPath({ workspace: 'Custos', relatorio: 'CNU', ...ids, idRelatorio: 12 })
  expect(path).toBe(`/relatorio-embed/custos/cnu/${ids.groupId}/${ids.reportId}?relatorio=12`)
  const { pathname, search } = new URL(path, 'http://localhost')
  expect(reportInAddress({ pathname, search })).toEqual({ ...ids, idRelatorio: 12 })
})

test.each(['', '0', '-1', '1.5', 'x', '1234567890'])('registrationIn ignores %j', (text) => {
  expect(registrationIn(new URLSearchParams({ relatorio: text }))).toBeUndefined()
})
