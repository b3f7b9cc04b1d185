import { afterEach, expect, test, vi } from 'vitest'
import { searchConnections } from './capacities-queries.ts'

afterEach(() => vi.unstubAllGlobals())

test('the search marks the connections that cannot manage a capacity', async () => {
  const row = { username: 'u', provedor: 'microsoft', tipoCredencial: 'service_principal' }
  vi.stubGlobal('fetch', async () =>
    Response.json([
      { ...row, idPowerBI: 1, nome: 'Matriz' },
      { ...row, idPowerBI: 2, nome: 'Pessoa', tipoCredencial: 'master_user' },
      { ...row, idPowerBI: 3, nome: 'Local', provedor: 'local' },
    ]),
  )
  const options = await searchConnections('', new AbortController().signal)
  expect(options.map(({ label, mark }) => [label, mark])).toEqual([
    ['Matriz', undefined],
    ['Pessoa', 'não administra capacidades'],
    ['Local', 'não administra capacidades'],
  ])
})
