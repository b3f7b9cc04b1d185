import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { answerWith, listOf, problem } from '../../test/answers.ts'
import { signedInUntil } from '../../test/token.ts'
import { startSession } from '../lib/session/session.ts'
import { registerReport } from './register-report.ts'

beforeEach(() => startSession(signedInUntil(Date.now() + 600_000)))
afterEach(() => vi.unstubAllGlobals())

test('registerReport uses the workspace that another administrator registers at the same moment', async () => {
  let registered: number | null = null
  const created: unknown[] = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', body }: RequestInit) => {
    if (url.endsWith('/publicacoes/workspaces'))
      return Response.json([{ idGrupo: 'G', nome: 'Área', idGrupoRelatorio: registered }])
    if (method === 'GET') return Response.json([], { headers: { 'x-total-count': '0' } })
    if (url.endsWith('/workspace')) {
      registered = 5
      return problem(409, 'Já está cadastrado.')
    }
    created.push(JSON.parse(String(body)))
    return Response.json({ idRelatorio: 9, reportId: 'r', papeisRls: [] }, { status: 201 })
  })
  const published = { idPowerBI: 1, idGrupo: 'g', reportId: 'r' }
  await registerReport({ published, nomeGrupo: 'Área', nomeRelatorio: 'Vendas' })
  const chosen = { nomeRelatorio: 'Vendas', reportId: 'r', papeisRls: [], operadoraRelatorio: 'Todas' }
  expect(created).toEqual([{ idGrupoRelatorio: 5, ...chosen }])
})

test('registerReport gives chosen roles to a registration without roles', async () => {
  const registered = { idRelatorio: 9, nomeRelatorio: 'Vendas', reportId: 'r', papeisRls: [], versao: 3 }
  const { of } = answerWith({
    'GET /api/publicacoes/workspaces': () =>
      Response.json([{ idGrupo: 'g', nome: 'Área', idGrupoRelatorio: 5 }]),
    'GET /api/usuarios/relatorio': () => listOf([registered]),
    'PUT /api/usuarios/relatorio/9': () => Response.json({ ...registered, papeisRls: ['Unidade'] }),
  })
  const published = { idPowerBI: 1, idGrupo: 'g', reportId: 'r' }
  const report = await registerReport({
    published,
    nomeGrupo: 'Área',
    nomeRelatorio: 'Outro nome',
    papeisRls: ['Unidade'],
  })
  expect(report.papeisRls).toEqual(['Unidade'])
  expect(of('PUT').map(({ body }) => body)).toEqual([
    {
      idGrupoRelatorio: 5,
      nomeRelatorio: 'Vendas',
      reportId: 'r',
      papeisRls: ['Unidade'],
      operadoraRelatorio: 'Todas',
    },
  ])
})
