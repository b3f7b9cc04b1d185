import { randomUUID } from 'node:crypto'
import type { Report } from '@bi-manager/contract'
import { beforeEach, describe, expect, test } from 'vitest'
import { createConnection, createReport, createWorkspace } from '../../../test/reports.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

let admin: Awaited<ReturnType<TestApp['as']>>
let idPowerBi: number
let idGrupoRelatorio: number
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  idPowerBi = (await createConnection(app)).idPowerBi
  idGrupoRelatorio = (await createWorkspace(app, { idPowerBi, nomeGrupo: 'Saúde' })).idGrupoRelatorio
})

const url = '/usuarios/relatorio'
const register = async (fields = {}): Promise<Report> => {
  const report = { nomeRelatorio: 'Sinistralidade', operadoraRelatorio: 'CNU', reportId: randomUUID() }
  const { status, body } = await admin.post(url, { idGrupoRelatorio, ...report, ...fields })
  expect(status).toBe(201)
  return body
}
const namesOf = (body: Report[]) => body.map(({ nomeRelatorio }) => nomeRelatorio)

describe('GET /usuarios/relatorio', () => {
  const names = ['Zona', 'Água', 'banco', 'Árvore 100%', 'abacaxi', 'Éden', 'Água_1']
  const inOrder = ['abacaxi', 'Água', 'Água_1', 'Árvore 100%', 'banco', 'Éden', 'Zona']
  beforeEach(async () => {
    for (const nomeRelatorio of names) await createReport(app, { idGrupoRelatorio, nomeRelatorio })
  })

  test('GET /usuarios/relatorio without a page returns all reports, in Brazilian order, with their fields only', async () => {
    const { status, body, headers } = await admin.get(url)
    expect([status, namesOf(body)]).toEqual([200, inOrder])
    expect([headers['x-total-count'], headers.link]).toEqual(['7', undefined])
    expect(body[0]).toEqual({
      idRelatorio: expect.any(Number),
      idGrupoRelatorio,
      nomeGrupo: 'Saúde',
      nomeRelatorio: 'abacaxi',
      operadoraRelatorio: 'CNU',
      reportId: expect.any(String),
      filtro: null,
      papeisRls: [],
      enviaIdentidade: false,
      usuarioIdentidade: null,
      datasetsAdicionais: [],
      tipoRelatorio: 'INTERATIVO',
      parametros: [],
      painelParametros: true,
      comentarios: true,
      sensivel: false,
      filtrosPainel: null,
      logo: null,
      versao: 1,
    })
  })

  test('GET /usuarios/relatorio orders names with numbers naturally, also descending and by workspace', async () => {
    for (const nomeRelatorio of ['Relatório 10', 'relatorio 9', 'RELATÓRIO 2'])
      await createReport(app, { idGrupoRelatorio, nomeRelatorio })
    const natural = ['RELATÓRIO 2', 'relatorio 9', 'Relatório 10']
    const found = async (order: string) =>
      namesOf((await admin.get(`${url}?busca=relat&ordem=${order}`)).body)
    expect(await found('nomeRelatorio')).toEqual(natural)
    expect(await found('-nomeRelatorio')).toEqual(natural.toReversed())
    expect(await found('nomeGrupo')).toEqual(natural)
    expect(await found('operadoraRelatorio')).toEqual(natural)
  })

  test('GET /usuarios/relatorio returns pages, with the total and the next address', async () => {
    const first = await admin.get(`${url}?pagina=1&tamanho=3&ordem=-nomeRelatorio`)
    expect(namesOf(first.body)).toEqual(['Zona', 'Éden', 'banco'])
    expect(first.headers['x-total-count']).toBe('7')
    expect(first.headers.link).toBe(
      '</api/usuarios/relatorio?pagina=2&tamanho=3&ordem=-nomeRelatorio>; rel="next"',
    )
    const last = await admin.get(`${url}?pagina=3&tamanho=3`)
    expect([namesOf(last.body), last.headers.link]).toEqual([['Zona'], undefined])
    const beyond = await admin.get(`${url}?pagina=9`)
    expect([beyond.body, beyond.headers['x-total-count']]).toEqual([[], '7'])
    expect((await admin.get(`${url}?pagina=1`)).body).toHaveLength(5)
  })

  test('GET /usuarios/relatorio returns a total that follows registrations and deletions', async () => {
    const { idRelatorio } = await register()
    expect((await admin.get(`${url}?pagina=1`)).headers['x-total-count']).toBe('8')
    await admin.del(`${url}/${idRelatorio}`)
    expect((await admin.get(`${url}?pagina=1`)).headers['x-total-count']).toBe('7')
  })

  test.each([
    ['AGUA', ['Água', 'Água_1']],
    ['a_1', ['Água_1']],
    ['0%', ['Árvore 100%']],
    ['100%  arv', ['Árvore 100%']],
    ['\\', []],
    ['zzz', []],
  ])(
    'GET /usuarios/relatorio finds %s in the name, ignoring accents and case, without wildcards',
    async (text, found) => {
      const { body, headers } = await admin.get(`${url}?busca=${encodeURIComponent(text)}&pagina=1`)
      expect([namesOf(body), headers['x-total-count']]).toEqual([found, String(found.length)])
    },
  )

  test('the list filters by workspace, alone or with a search, in the total too', async () => {
    const other = await createWorkspace(app, { idPowerBi, nomeGrupo: 'Água e luz' })
    await createReport(app, { idGrupoRelatorio: other.idGrupoRelatorio, nomeRelatorio: 'Água 2' })
    const { body, headers } = await admin.get(`${url}?idGrupoRelatorio=${other.idGrupoRelatorio}&pagina=1`)
    expect([namesOf(body), headers['x-total-count']]).toEqual([['Água 2'], '1'])
    const both = await admin.get(`${url}?idGrupoRelatorio=${idGrupoRelatorio}&busca=agua`)
    expect([namesOf(both.body), both.headers['x-total-count']]).toEqual([['Água', 'Água_1'], '2'])
    const none = await admin.get(`${url}?idGrupoRelatorio=999`)
    expect([none.status, none.body]).toEqual([200, []])
  })

  test('GET /usuarios/relatorio sorts by every offered column, in both directions', async () => {
    await app.reset()
    admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const connection = await createConnection(app)
    const groups = await Promise.all(
      ['Zebra', 'água'].map((nomeGrupo) =>
        createWorkspace(app, { idPowerBi: connection.idPowerBi, nomeGrupo }),
      ),
    )
    const [zebra = 0, water = 0] = groups.map((group) => group.idGrupoRelatorio)
    const id = (digit: string) => `${digit}0000000-0000-4000-8000-000000000000`
    for (const [nomeRelatorio, operadoraRelatorio, digit, group] of [
      ['um', 'unimed', 'A', zebra],
      ['dois', 'Ágata', 'b', water],
      ['três', 'BRADESCO', 'C', water],
    ] as const) {
      await createReport(app, {
        nomeRelatorio,
        operadoraRelatorio,
        reportId: id(digit),
        idGrupoRelatorio: group,
      })
    }
    const orders = {
      nomeRelatorio: ['dois', 'três', 'um'],
      nomeGrupo: ['dois', 'três', 'um'],
      operadoraRelatorio: ['dois', 'três', 'um'],
      reportId: ['um', 'dois', 'três'],
    }
    for (const [order, expected] of Object.entries(orders)) {
      expect(namesOf((await admin.get(`${url}?ordem=${order}`)).body)).toEqual(expected)
      expect(namesOf((await admin.get(`${url}?ordem=-${order}&pagina=1`)).body)).toEqual(
        expected.toReversed(),
      )
    }
  })

  test.each([
    'pagina=0',
    'tamanho=101',
    'tamanho=0',
    'ordem=filtro',
    'pagina=x',
    'busca=%00',
    'idGrupoRelatorio=0',
    'idGrupoRelatorio=x',
  ])('GET /usuarios/relatorio refuses %s with 422', async (query) => {
    expect((await admin.get(`${url}?${query}`)).status).toBe(422)
  })

  test('GET /usuarios/relatorio exports a CSV without formulas and other fields, and audits the export', async () => {
    await register({
      nomeRelatorio: '=SOMA(1;2)',
      operadoraRelatorio: '@cmd',
      filtro: "Tabela/coluna eq 'segredo'",
    })
    const { status, headers, body } = await admin.get(`${url}.csv?busca=soma`)
    expect([status, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="relatorios.csv"')
    const [heading, line, ...rest] = String(body).split('\r\n')
    expect(heading).toBe('\uFEFFNome do relatório;Report ID;Grupo Relatório;Operadora Relatório')
    expect(line).toMatch(/^"'=SOMA\(1;2\)";[0-9a-f-]{36};Saúde;'@cmd$/)
    expect(rest).toEqual([''])
    const exports = app.db.selectFrom('auditoria').selectAll().where('acao', '=', 'list.exported')
    expect(await exports.execute()).toMatchObject([
      { objeto: 'relatorios', detalhes: { busca: 'soma', linhas: 1 } },
    ])
    const all = await admin.get(`${url}.csv?ordem=-nomeRelatorio&idGrupoRelatorio=${idGrupoRelatorio}`)
    expect(String(all.body).split('\r\n')[1]).toMatch(/^Zona;/)
  })
})
