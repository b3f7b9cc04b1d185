import { afterEach, expect, test, vi } from 'vitest'
import { searchReportsToShow } from './report-options.ts'

afterEach(() => vi.unstubAllGlobals())

test('the list marks the reports that neither guests nor screens see, before one is chosen', async () => {
  const report = (idRelatorio: number, more: object = {}) => ({
    idRelatorio,
    nomeRelatorio: `Relatório ${idRelatorio}`,
    nomeGrupo: 'Painéis',
    sensivel: false,
    tipoRelatorio: 'INTERATIVO',
    papeisRls: [],
    enviaIdentidade: false,
    ...more,
  })
  const rows = [
    report(1),
    report(2, { sensivel: true, papeisRls: ['Operadora'] }),
    report(3, { tipoRelatorio: 'PAGINADO' }),
    report(4, { enviaIdentidade: true }),
  ]
  vi.stubGlobal('fetch', async () => Response.json(rows, { headers: { 'x-total-count': '4' } }))
  const options = await searchReportsToShow('', new AbortController().signal)
  expect(options.map(({ mark }) => mark)).toEqual([
    undefined,
    'dados sensíveis: não pode',
    'paginado: não pode',
    'restringe as linhas',
  ])
})
