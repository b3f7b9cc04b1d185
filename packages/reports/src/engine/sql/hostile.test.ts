import { describe, expect, test } from 'vitest'
import {
  claimsDataset,
  claimsReport,
  REPORT,
  serviceWith,
  visual,
  warningsOf,
} from '../../../test/fixture.ts'
import { watchResident } from '../../../test/process-figures.ts'
import type { PageData } from '../../wire/embed-contract.ts'
import { processMegabytes } from '../data/database/database-process.ts'

/** SQL that no author may write anywhere. */
const escapes = [
  "read_text('/etc/passwd')",
  "(SELECT max(content) FROM read_text('/etc/passwd'))",
  "(SELECT max(column0) FROM '/etc/passwd')",
  "getenv('HOME')",
  "current_setting('memory_limit')",
  '(SELECT max(value) FROM duckdb_settings())',
  '(SELECT max(email) FROM dataset.Access)',
  '(SELECT max(email) FROM compressed.dataset.Access)',
  "1) AS x; ATTACH '/tmp/x.db'; SELECT (1",
  "1; COPY Claims TO '/tmp/x.csv'",
  '1; PRAGMA database_list',
  '1; SET memory_limit = 0',
  '1; INSTALL httpfs; LOAD httpfs',
  '1; CALL pragma_version()',
  "length(list_reduce(['a', 'a'], lambda x, y: x || x))",
  "length(repeat('a', 1000000000))",
]

test('the check refuses SQL that leaves the dataset in measures, orders, totals and predicates', async () => {
  const levels = [
    { column: 'operadora', label: 'O' },
    { column: 'sexo', label: 'S' },
  ]
  const query = 'SELECT operadora, sexo, valor FROM Claims'
  const placesOf = (sql: string): [object, string][] => [
    [{ type: 'bar', drill: { levels, values: { m: `max(${sql})` } } }, 'drill.values.m'],
    [{ type: 'bar', drill: { levels, values: { m: 'sum(valor)' }, order: sql } }, 'drill.order'],
    [{ type: 'matrix', matrix: { rows: ['operadora'], values: { m: `max(${sql})` } } }, 'matrix.values.m'],
    [{ totals: { valor: `max(${sql})` } }, 'totals.valor'],
  ]
  const pages = escapes.map((sql, index) => ({
    name: `P${index}`,
    displayName: 'P',
    visuals: placesOf(sql).map(([more], position) => visual(`v${position}`, query, more)),
  }))
  const told = await warningsOf({ 'workspaces/one/claims.json': { ...claimsReport, pages } })
  const missed = escapes.flatMap((sql, page) =>
    placesOf(sql).flatMap(([, place], position) => {
      const at = `pages[${page}].visuals[${position}].${place}: `
      return told.some((sentence) => sentence.includes(at)) ? [] : [`${at}${sql}`]
    }),
  )
  expect(missed, told.join('\n')).toEqual([])

  const roles = escapes.map((sql, index) => ({ name: `r${index}`, rows: { Claims: `${sql} IS NULL` } }))
  const refused = await warningsOf({ 'datasets/claims/dataset.json': { ...claimsDataset, roles } })
  const accepted = escapes.filter(
    (_sql, index) => !refused.some((sentence) => sentence.includes(`roles[${index}].rows.Claims: `)),
  )
  expect(accepted, refused.join('\n')).toEqual([])
}, 60_000)

const MEMORY = {
  code: 'QueryFailed',
  message: 'A consulta deste visual precisa de mais memória do que o serviço lhe dá.',
}

describe('long texts in the data', () => {
  const note = 'á'.repeat(16_000)
  const files = (text: string) => ({
    'datasets/claims/dataset.json': {
      ...claimsDataset,
      tables: { ...claimsDataset.tables, Notes: { file: 'notes.csv' } },
    },
    'datasets/claims/notes.csv': `note\n${text}\n`,
  })

  const pageWith = (columns: number) => {
    const query = `SELECT ${Array.from({ length: columns }, (_, at) => `id AS n${at}`).join(', ')} FROM Claims`
    const pages = [{ name: 'Wide', displayName: 'W', visuals: [visual('wide', query)] }]
    return { 'workspaces/one/claims.json': { ...claimsReport, pages } }
  }

  test('a visual with more columns than the limit is refused', async () => {
    expect((await warningsOf(pageWith(2_001))).join('\n')).toContain(
      'query: devolve 2.001 colunas; o limite é 2.000. Escreva em SELECT só as que o visual mostra',
    )
  })

  test('a table of 1,500 columns is answered whole: the page draws the first and counts them', async () => {
    const service = await serviceWith({ files: pageWith(1_500) })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const question = { page: 'Wide', filters: [] }
    const found: PageData = (await service.embed(token, 'POST', `/reports/${REPORT}/data`, question)).json()
    const { columns = [], rows = [] } = found.visuals.wide ?? {}
    expect([columns.length, rows[0]?.length, rows.length]).toEqual([1_500, 1_500, 5])
  })

  test('long texts in many columns keep their first 50 letters, and numbers take none of them', async () => {
    const name = 'Santa Maria do Suaçuí, no norte de Minas Gerais'
    const texts = (count: number, text: string) =>
      Array.from({ length: count }, (_, at) => `'${text}' AS t${at}`).join(', ')
    const numbers = Array.from({ length: 590 }, (_, at) => `id AS n${at}`).join(', ')
    const visuals = [
      visual('texts', `SELECT ${texts(600, name)} FROM Claims`),
      visual('numbers', `SELECT ${texts(10, 'á'.repeat(1_500))}, ${numbers} FROM Claims`),
    ]
    const pages = [{ name: 'Wide', displayName: 'W', visuals }]
    const service = await serviceWith({
      files: { 'workspaces/one/claims.json': { ...claimsReport, pages } },
    })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const question = { page: 'Wide', filters: [] }
    const found: PageData = (await service.embed(token, 'POST', `/reports/${REPORT}/data`, question)).json()
    expect(new Set(found.visuals.texts?.rows[0])).toEqual(new Set([name]))
    expect(found.visuals.numbers?.rows[0]?.[9]).toBe(`${'á'.repeat(1_000)}…`)
  })

  test('long texts in the data are cut for the page, and an answer that is too large fails before it exhausts the memory', async () => {
    const wide = (columns: number) =>
      `SELECT ${Array.from({ length: columns }, (_, at) => `note AS n${at}`).join(', ')} FROM Notes, range(10000)`
    const visuals = [
      visual('one', 'SELECT note, id FROM Notes, Claims ORDER BY id'),
      visual('joined', 'SELECT note || range AS s FROM Notes, range(10000)'),
      visual('made', 'SELECT max(length(upper(note) || range)) AS n FROM Notes, range(10000)'),
      visual('wide', wide(100)),
      visual('good', 'SELECT id FROM Claims ORDER BY id'),
    ]
    const pages = [{ name: 'Long', displayName: 'L', visuals }, claimsReport.pages[0]]
    const service = await serviceWith({
      files: { ...files(note), 'workspaces/one/claims.json': { ...claimsReport, pages } },
      env: { REPORTS_MEMORY_MB: '128' },
    })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const peak = watchResident(() => service.databaseProcess.pid())
    const found: PageData = (
      await service.embed(token, 'POST', `/reports/${REPORT}/data`, { page: 'Long', filters: [] })
    ).json()
    expect(found.failures).toEqual({ joined: MEMORY, wide: LARGE })
    expect(found.visuals.one?.rows[4]).toEqual([`${'á'.repeat(2000)}…`, 5])
    expect(found.visuals.made?.rows).toEqual([[16_004]])
    expect(found.visuals.good?.rows).toHaveLength(5)
    const { child, service: own } = peak.end()
    expect(child).toBeLessThan(processMegabytes(128) + 200)
    expect(own).toBeLessThan(500)
  }, 60_000)
})
const LARGE = {
  code: 'QueryFailed',
  message:
    'O resultado deste visual é grande demais: mostre menos linhas, menos colunas ou textos mais curtos.',
}
