import { connectMcp } from '@bi-manager/server/test/reports/mcp-client'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GROUP, REPORT } from '../../packages/reports/test/fixture.ts'
import { startLiveServices } from './live-services.ts'

/*
 * The SDK's client reads the rows of a report through the portal and the report service, which run
 * as processes. The report has row-level security by e-mail; ana@x.br sees the rows 3, 4 and 5, and
 * bia@x.br 1 and 2.
 */

const password = 'Uma senha de teste 7'

let live: Awaited<ReturnType<typeof startLiveServices>>
let idRelatorio: number
let report: Record<string, unknown>
const keys: Record<string, string> = {}
beforeAll(async () => {
  live = await startLiveServices()
  const { asAdmin, call, connection } = live
  await asAdmin('PUT', '/configuracao/chaves', { pessoas: true, mcp: true })
  const workspace = await asAdmin('POST', '/usuarios/workspace', {
    nomeGrupo: 'Diretoria',
    idGrupo: GROUP,
    idPowerBi: connection.idPowerBI,
  })
  report = {
    idGrupoRelatorio: workspace.idGrupoRelatorio,
    nomeRelatorio: 'Sinistralidade',
    operadoraRelatorio: 'Todas',
    reportId: REPORT,
    papeisRls: ['por-usuario'],
  }
  idRelatorio = (await asAdmin('POST', '/usuarios/relatorio', report)).idRelatorio
  for (const name of ['Ana Souza', 'Bia Prado', 'Caio Lima']) {
    const emailUsuario = `${name.slice(0, name.indexOf(' ')).toLowerCase()}@x.br`
    const { idUsuario } = await asAdmin('POST', '/usuarios', {
      nomeUsuario: name,
      emailUsuario,
      senhaUsuario: password,
      idResponsavel: 1,
    })
    if (name !== 'Caio Lima') {
      await asAdmin('POST', '/usuarios/relatorio-usuario', { idUsuario, idRelatorio })
    }
    const { access_token } = await call({})('POST', '/usuarios/authorizer', {
      username: emailUsuario,
      password,
    })
    const own = call({ authorization: `Bearer ${access_token}` })
    const draft = { nome: 'Assistente', grupos: ['DADOS'], dias: 30 }
    keys[emailUsuario] = (await own('POST', '/conta/chaves', draft)).credencial
  }
}, 120_000)
afterAll(() => live?.stop())

const connect = async (email: string, mode: 'legacy' | 'auto' = 'auto') =>
  connectMcp(live.portal.url, keys[email] ?? '', { mode })

type Visual = { nome: string; linhas: unknown[][]; truncado?: boolean }
const rowsOf = (data: { visuais: Visual[] }, name: string) =>
  data.visuais.find(({ nome }) => nome === name)?.linhas

describe.each(['legacy', 'auto'] as const)('a client of the SDK (%s)', (mode) => {
  test.each([
    ['ana@x.br', [[3], [4], [5]], 425.25, 3],
    ['bia@x.br', [[1], [2]], 300.5, 2],
  ])(
    'a client of the SDK with the key of %s reads the rows of that person only',
    async (email, ids, total, count) => {
      const { client, callTool } = await connect(email, mode)
      const { data } = await callTool('ler_dados_do_relatorio', {
        relatorio: idRelatorio,
        pagina: 'Principal',
      })
      expect(rowsOf(data, 'ids')).toEqual(ids)
      expect(rowsOf(data, 'total')).toEqual([[total, count]])
      // The kinds of the columns, and the clock of their instants.
      expect(data.visuais.find(({ nome }: Visual) => nome === 'total').colunas).toEqual([
        { nome: 'total', tipo: 'número' },
        { nome: 'n', tipo: 'inteiro' },
      ])
      expect(data.relatorio.fusoDosDados).toBe('America/Sao_Paulo')
      // The data time of the report's page in the portal.
      const { atualizadosEm } = await live.asAdmin('GET', `/usuarios/relatorio/${idRelatorio}/dados`)
      expect(data.relatorio.dadosDe).toBe(atualizadosEm)
      expect(Date.parse(atualizadosEm)).toBeGreaterThan(0)
      await client.close()
    },
  )
})

test('without a page, the tool describes pages, visuals and columns', async () => {
  const { client, callTool } = await connect('ana@x.br')
  const { data } = await callTool('ler_dados_do_relatorio', { relatorio: idRelatorio })
  expect(data.paginas.map(({ titulo }: { titulo: string }) => titulo)).toEqual(['Principal', 'Segunda'])
  expect(data.paginas[0].visuais[1]).toEqual({
    nome: 'total',
    titulo: 'total',
    tipo: 'table',
    colunas: [{ nome: 'total' }, { nome: 'n' }],
  })
  // Tables of the rules are for nobody.
  expect(Object.keys(data.colunasParaFiltros)).toEqual(['Claims'])
  await client.close()
})

test('filters, visuals and rows narrow the answer, which says that it is cut', async () => {
  const { client, callTool } = await connect('ana@x.br')
  const page = { relatorio: idRelatorio, pagina: 'Main' }
  const filtros = [{ tabela: 'Claims', coluna: 'operadora', valores: ['SANTA_CASA', 'BRADESCO'] }]
  const filtered = await callTool('ler_dados_do_relatorio', { ...page, visuais: ['ids'], filtros })
  expect(filtered.data.visuais).toMatchObject([{ nome: 'ids', linhas: [[5]] }])
  const cut = await callTool('ler_dados_do_relatorio', { ...page, visuais: ['ids'], linhas: 2 })
  expect(cut.data.visuais).toMatchObject([{ linhas: [[3], [4]], truncado: true }])
  const large = await callTool('ler_dados_do_relatorio', { ...page, pagina: 'Segunda', linhas: 500 })
  expect(large.data.visuais).toMatchObject([{ truncado: true }])
  expect(large.data.visuais[0].linhas).toHaveLength(500)
  await client.close()
})

test('the filter that the registration sets cannot be undone by another one', async () => {
  const change = async (filtro: string) => {
    const current = await live.asAdmin('GET', `/usuarios/relatorio/${idRelatorio}`)
    await live.asAdmin('PUT', `/usuarios/relatorio/${idRelatorio}`, { ...current, filtro })
  }
  await change("Claims/operadora eq 'CNU'")
  const { client, callTool } = await connect('ana@x.br')
  const asked = { relatorio: idRelatorio, pagina: 'Main', visuais: ['ids'] }
  const all = [{ tabela: 'Claims', coluna: 'operadora', valores: ['CNU', 'SANTA_CASA'] }]
  expect(rowsOf((await callTool('ler_dados_do_relatorio', asked)).data, 'ids')).toEqual([[3], [4]])
  const { data } = await callTool('ler_dados_do_relatorio', { ...asked, filtros: all })
  expect(rowsOf(data, 'ids')).toEqual([[3], [4]])
  await client.close()
  await change('')
})

test('a person without the report, an unknown page and an unknown column get a sentence', async () => {
  const { client, callTool } = await connect('caio@x.br')
  expect((await callTool('listar_relatorios')).data.relatorios).toEqual([])
  expect((await callTool('ler_dados_do_relatorio', { relatorio: idRelatorio })).isError).toBe(true)
  await client.close()
  const ana = await connect('ana@x.br')
  const read = (input: object) => ana.callTool('ler_dados_do_relatorio', { relatorio: idRelatorio, ...input })
  expect((await read({ pagina: 'Nenhuma' })).text).toBe(
    'Não há esta página. As páginas são: Principal, Segunda.',
  )
  const filtros = [{ tabela: 'Access', coluna: 'email', valores: ['ana@x.br'] }]
  expect((await read({ pagina: 'Main', filtros })).text).toMatch(/não aceitou os filtros/)
  await ana.client.close()
})

test('each call is audited with report, key and count of rows, not with values', async () => {
  const { client, callTool } = await connect('bia@x.br')
  await callTool('ler_dados_do_relatorio', { relatorio: idRelatorio, pagina: 'Main', visuais: ['ids'] })
  await client.close()
  const [line] = await live.asAdmin('GET', '/auditoria?acao=mcp.data-read')
  expect(line).toMatchObject({ nomeUsuario: 'Bia Prado', objeto: `relatorio:${idRelatorio}` })
  expect(line.detalhes).toEqual({ pagina: 'Main', visuais: 1, linhas: 2, chaveApi: 'Assistente' })
})
