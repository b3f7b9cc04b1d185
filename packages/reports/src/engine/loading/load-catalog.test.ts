import { mkdtemp, rm, symlink } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  claimsReport,
  PLAIN_REPORT,
  plainReport,
  serviceWith,
  startService,
  UNKNOWN,
  visual,
  warningsOf,
  writeFiles,
} from '../../../test/fixture.ts'
import { openDatabase } from '../data/database/database.ts'
import { loadCatalog } from './load-catalog.ts'

const inReport = (change: object) => ({ 'workspaces/one/claims.json': { ...claimsReport, ...change } })
const inVisual = (more: object, query = 'SELECT id FROM Claims') =>
  inReport({
    pages: [
      { name: 'Main', displayName: 'P', visuals: [visual('a', 'SELECT 1 AS x'), visual('b', query, more)] },
    ],
  })
const inDataset = (change: object) => ({ 'datasets/claims/dataset.json': { ...claimsDataset, ...change } })
const panelFilter = {
  target: { table: 'Claims', column: 'operadora' },
  label: 'Operadora',
  values: ['CNU', 'BRADESCO'],
}
const inPanel = (change: object) => inReport({ panelFilters: [{ ...panelFilter, ...change }] })
const report = 'workspaces/one/claims.json: '
const dataset = 'datasets/claims/dataset.json: '

describe('loadCatalog', () => {
  test.each<[string, object, string]>([
    [
      'invalid JSON',
      { 'workspaces/one/claims.json': '{' },
      `${report}não pôde ser lido: esperava o nome de um campo entre aspas, e o texto termina (linha 1, coluna 2)`,
    ],
    [
      'a file of 3 MB',
      { 'workspaces/one/claims.json': `${' '.repeat(2_500_000)}{}` },
      `${report}tem 3 MB; o limite é 2 MB`,
    ],
    ['an invalid id', inReport({ id: 'x' }), `${report}id: Formato do GUID inválido`],
    ['an unknown key', inReport({ paginas: [] }), `${report}Chave inválida: "paginas"`],
    ['an unknown type', inVisual({ type: 'pie' }), `${report}pages[0].visuals[1].type: Opção inválida: `],
    ['an empty query', inVisual({ query: '' }), `${report}pages[0].visuals[1].query: `],
    [
      'off the canvas',
      inVisual({ layout: { x: -1, y: 0, width: 100, height: 100 } }),
      `${report}pages[0].visuals[1].layout.x: `,
    ],
    [
      'a syntax error',
      inVisual({}, 'SELEC 1'),
      `${report}pages[0].visuals[1].query: a consulta não pôde ser lida: syntax error`,
    ],
    [
      'an unknown column',
      inVisual({}, 'SELECT nada FROM Claims'),
      // The log names the kind only; a check also names the column.
      `${report}pages[0].visuals[1].query: o banco respondeu: Binder Error`,
    ],
    [
      'an unknown table',
      inVisual({}, 'SELECT 1 FROM Nada'),
      `${report}pages[0].visuals[1].query: a tabela Nada não existe`,
    ],
    ['a duplicate visual name', inVisual({ name: 'a' }), `${report}pages[0].visuals[1].name: a se repete`],
    [
      'a duplicate page name',
      inReport({ pages: [...claimsReport.pages, claimsReport.pages[0]] }),
      `${report}pages[2].name: Main se repete`,
    ],
    [
      'a filter on a missing column',
      inReport({ filters: [{ target: { table: 'Claims', column: 'z' }, operator: 'In', values: [1] }] }),
      `${report}filters[0]: a coluna Claims.z não existe`,
    ],
    [
      'a malformed filter',
      inReport({ filters: [{ target: { table: 'Claims', column: 'id' }, operator: 'Inn' }] }),
      `${report}filters[0].operator: Opção inválida: `,
    ],
    [
      'a filter pane on a hidden table',
      inReport({ filterPane: [{ target: { table: 'Access', column: 'email' }, label: 'E' }] }),
      `${report}filterPane[0].target: Access.email não existe`,
    ],
    [
      'a panel filter on a hidden table',
      inPanel({ target: { table: 'Access', column: 'email' } }),
      `${report}panelFilters[0].target: Access.email não existe`,
    ],
    [
      'a panel filter whose default is not among its values',
      inPanel({ default: 'UNIMED' }),
      `${report}panelFilters[0].default: UNIMED não está entre os valores`,
    ],
    [
      'a panel filter with values of another type than its column',
      inPanel({ target: { table: 'Claims', column: 'id' } }),
      `${report}panelFilters[0].values: `,
    ],
    [
      'a panel filter with values of two types',
      inPanel({ values: ['CNU', 1] }),
      `${report}panelFilters[0].values: use só textos, só números ou só verdadeiro e falso`,
    ],
    [
      'a repeated value of a panel filter',
      inPanel({ values: ['CNU', 'CNU'] }),
      `${report}panelFilters[0].values: CNU se repete`,
    ],
    [
      'a repeated panel filter',
      inReport({ panelFilters: [panelFilter, { ...panelFilter, label: 'Outra' }] }),
      `${report}panelFilters[1].target: coluna repetida`,
    ],
    [
      'a selection of a missing column',
      inVisual({ select: { target: { table: 'Claims', column: 'z' }, column: 'id' } }),
      `${report}pages[0].visuals[1].select.target: Claims.z não existe`,
    ],
    [
      'an unknown dataset',
      inReport({ dataset: PLAIN_REPORT }),
      `${report}dataset: ${PLAIN_REPORT} não existe`,
    ],
    [
      'a missing data file',
      inDataset({ tables: { T: { file: 'nada.csv' } }, roles: [], requiresIdentity: false }),
      `${dataset}tables.T: o arquivo nada.csv não existe`,
    ],
    [
      'a file in another folder',
      inDataset({ tables: { T: { file: '../plain/c.csv' } } }),
      `${dataset}tables.T.file: o nome de um arquivo .csv, .tsv, .txt, .parquet ou .xlsx desta pasta; salve outras planilhas como XLSX`,
    ],
    [
      'duplicate table names',
      inDataset({ tables: { ...claimsDataset.tables, CLAIMS: { file: 'claims.csv' } } }),
      `${dataset}tables.CLAIMS: nome repetido`,
    ],
    [
      'a role over a missing table',
      inDataset({ roles: [{ name: 'r', rows: { Nada: 'true' } }] }),
      `${dataset}roles[0].rows.Nada: a tabela Nada não existe`,
    ],
    [
      'a duplicate role',
      inDataset({ roles: [...claimsDataset.roles, { name: 'cnu', rows: {} }] }),
      `${dataset}roles[5].name: nome repetido`,
    ],
    [
      'a folder name with pattern characters',
      {
        'datasets/[a-z]/dataset.json': { id: UNKNOWN, name: 'z', tables: { T: { file: 'c.csv' } } },
        'datasets/[a-z]/c.csv': 'x\n1\n',
      },
      'datasets/[a-z]/dataset.json: o nome da pasta não pode ter * ? [ ] { }',
    ],
    [
      'more filters than a call may carry',
      inReport({
        filters: Array(20).fill({ target: { table: 'Claims', column: 'id' }, operator: 'All' }),
        pages: [
          {
            ...claimsReport.pages[0],
            filters: [{ target: { table: 'Claims', column: 'id' }, operator: 'All' }],
          },
        ],
      }),
      `${report}pages[0].filters: no máximo 20 filtros`,
    ],
    [
      'a required identity without roles',
      inDataset({ roles: [] }),
      `${dataset}requiresIdentity: exige ao menos um papel`,
    ],
    [
      'a duplicate report id',
      { 'workspaces/two/zz.json': { ...plainReport } },
      'workspaces/two/zz.json: id: já usado por outro relatório',
    ],
    [
      'a duplicate dataset id',
      { 'datasets/zz/dataset.json': { id: CLAIMS, name: 'z', tables: {} } },
      'datasets/zz/dataset.json: id: já usado',
    ],
    [
      'a workspace without a name',
      { 'workspaces/one/workspace.json': { id: CLAIMS } },
      'workspaces/one/workspace.json: name: ',
    ],
  ])('loadCatalog warns of %s with file and place', async (_name, files, expected) => {
    const warnings = await warningsOf(files as Record<string, object>)
    expect(
      warnings.some((text) => text.startsWith(expected)),
      warnings.join('\n'),
    ).toBe(true)
  })

  test('loadCatalog serves the other reports when one is faulty', async () => {
    const service = await serviceWith({ files: { 'workspaces/one/claims.json': '{' } })
    const ready = await service.app.inject('/readyz')
    // File names and database messages are for the log, not for the public endpoint.
    expect(ready.body).not.toContain('claims')
    expect([ready.statusCode, ready.json().relatorios, ready.json().avisos]).toEqual([200, 1, 1])
  })

  test('loadCatalog only warns of a format for a missing column', async () => {
    const service = await serviceWith({ files: inVisual({ format: { nada: 'moeda' } }) })
    const { reports, warnings } = await service.loaded
    expect(reports.size).toBe(2)
    expect(warnings).toEqual([
      `${report}pages[0].visuals[1].format.nada: a consulta não devolve esta coluna (linha 1, coluna 506)`,
    ])
  })
})

describe('the files of a dataset', () => {
  test('the files of a dataset are read from a data folder whose path contains pattern characters', async () => {
    // A folder that the pattern would match too.
    const other = 'id,operadora,sexo,valor,dia,pago,hora\n9,X,x,1,2024-01-05,true,2024-01-05 10:00:00\n'
    const files = { '../abcx/datasets/claims/claims.csv': other }
    const service = await startService({ folderName: '[a-z]*?x', files })
    onTestFinished(service.stop)
    expect((await service.loaded).warnings).toEqual([])
    expect(await service.ids(await service.embedToken(['todos']))).toEqual([1, 2, 3, 4, 5])
  })

  test('the files of a dataset may not be links out of the folder', async () => {
    const dir = await mkdtemp(join(tmpdir(), 'links-'))
    onTestFinished(async () => {
      await rm(dir, { recursive: true })
    })
    const definition = { id: UNKNOWN, name: 'z', tables: { T: { file: 'c.csv' } } }
    await writeFiles(dir, { 'datasets/z/dataset.json': definition, 'elsewhere.csv': 'x\n1\n' })
    await symlink('../../elsewhere.csv', join(dir, 'datasets/z/c.csv'))
    const { warnings, datasets } = await loadCatalog({
      dataDir: dir,
      open: () => openDatabase({ memoryMegabytes: 256, timeoutMs: 10_000 }),
    })
    expect(warnings).toEqual([
      'datasets/z/dataset.json: tables.T: c.csv não é um arquivo comum (atalhos não são aceitos) (linha 1, coluna 71)',
    ])
    expect(datasets.size).toBe(0)
  })
})
