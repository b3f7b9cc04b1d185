import { expect } from 'vitest'
import type { PageData } from '../src/wire/embed-contract.ts'
import { claimsReport, REPORT, serviceWith } from './fixture.ts'

/* A report of one page over the claims, shared by tests of its rows. */

export const CUBE = 'SELECT operadora, sexo, valor, id, dia, pago FROM Claims'
export const values = { total: 'sum(valor)', n: 'count(*)' }
export const reportOf = (visuals: object[], more: object = {}) => ({
  ...claimsReport,
  pages: [{ name: 'Main', displayName: 'Principal', visuals }],
  ...more,
})
export const filesOf = (visuals: object[], more: object = {}) => ({
  'workspaces/one/claims.json': reportOf(visuals, more),
})

/** Starts a service with one page of these visuals, and asks for its rows. */
export const askingOf = async (visuals: object[], settings: { queryTimeoutMs?: number } = {}) => {
  const service = await serviceWith({ files: filesOf(visuals), options: settings })
  expect((await service.loaded).warnings).toEqual([])
  const token = await service.embedToken(['todos'])
  const ask = async (more: object = {}, as = token) => {
    const body = { page: 'Main', filters: [], ...more }
    return service.embed(as, 'POST', `/reports/${REPORT}/data`, body)
  }
  const data = async (more: object = {}, as = token): Promise<PageData> => {
    const answer = await ask(more, as)
    expect(answer.statusCode, answer.body).toBe(200)
    return answer.json()
  }
  return { service, token, ask, data }
}

export const equal = (column: string, ...wanted: unknown[]) => ({
  target: { table: 'Claims', column },
  operator: 'In',
  values: wanted,
})

export const levels = [
  { column: 'operadora', label: 'Operadora' },
  { column: 'dia', label: 'Dia' },
  { column: 'pago', label: 'Pago' },
  { column: 'id', label: 'Sinistro' },
]
