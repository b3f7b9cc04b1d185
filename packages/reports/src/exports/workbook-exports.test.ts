import { describe, expect, test } from 'vitest'
import {
  everything,
  exportService,
  FAILING_REPORT,
  identity,
  MANY_REPORT,
  of,
  order,
} from '../../test/export-service.ts'
import { REPORT } from '../../test/fixture.ts'
import { readWorkbook } from '../../test/read-workbook.ts'

/* ExportTo as XLSX, which needs no browser. */

const service = exportService({ hasBrowser: false })

const finished = async (id: string, report: string) => {
  for (let look = 0; look < 600; look += 1) {
    const answer = await service.rest('GET', `${of(report)}/exports/${id}`)
    if (answer.statusCode === 200) return answer.json()
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  throw new Error('the export did not finish')
}

const exported = async (configuration: object, more: object = {}, report = REPORT) => {
  const asked = await service.ask({ ...order('XLSX', configuration), ...more }, of(report))
  expect(asked.statusCode, asked.body).toBe(202)
  return finished(asked.json().id, report)
}

const sheetsOf = async (configuration: object, more: object = {}, report = REPORT) => {
  const done = await exported(configuration, more, report)
  expect(done, JSON.stringify(done.error)).toMatchObject({ status: 'Succeeded' })
  const file = await service.inject(new URL(done.resourceLocation).pathname)
  expect(file.headers['content-type']).toBe(
    'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  )
  expect(file.headers['content-disposition']).toBe(
    `attachment; filename="export.xlsx"; filename*=UTF-8''Sinistralidade.xlsx`,
  )
  return readWorkbook(new Uint8Array(file.rawPayload))
}

const factsOf = (sheet: unknown[][] = []) =>
  Object.fromEntries(sheet.filter(([label]) => label).map(([label, fact]) => [label, fact]))
const contentsOf = (sheet: unknown[][] = []) =>
  sheet.slice(sheet.findIndex(([first]) => first === 'Planilha') + 1)

const operators = (values: string[], more: object = {}) => ({
  target: { table: 'Claims', column: 'operadora' },
  operator: 'In',
  values,
  filterType: 1,
  ...more,
})
const bookmark = (more: object) => ({
  state: Buffer.from(
    JSON.stringify({ v: 1, report: REPORT, name: 'x', page: 'Main', reportFilters: [], ...more }),
  ).toString('base64url'),
})

describe('ExportTo as XLSX', { timeout: 60_000 }, () => {
  test('ExportTo as XLSX has a sheet for each visual with data, and the rows of the identity', async () => {
    const sheets = await sheetsOf({ identities: [identity(['cnu'])], pages: [{ pageName: 'Main' }] })
    expect(Object.keys(sheets)).toEqual(['Sobre', 'linhas', 'Valor por operadora'])
    expect(sheets.linhas).toEqual([
      ['Linha', 'Operadora'],
      ['linha-3', 'CNU'],
      ['linha-4', 'CNU'],
    ])
    expect(sheets['Valor por operadora']).toEqual([
      ['Operadora', 'Total'],
      ['CNU', 350],
    ])
    expect(JSON.stringify(sheets)).not.toContain('BRADESCO')
  })

  test('ExportTo as XLSX says what the file has: report, page, times, person, filters and sheets', async () => {
    const sheets = await sheetsOf(
      {
        ...everything,
        reportLevelFilters: [{ filter: "Claims/sexo eq 'masculino'" }],
        pages: [
          {
            pageName: 'Main',
            bookmark: bookmark({
              slicers: { 'Main/operadoras': [operators(['CNU', 'BRADESCO'])] },
              selection: { visual: 'barras', value: 'CNU', filters: [operators(['CNU'])] },
            }),
          },
        ],
      },
      { '@biManager.person': 'Ana Souza' },
    )
    const facts = factsOf(sheets.Sobre)
    expect(facts).toMatchObject({
      Página: 'Principal',
      'Exportado por': 'Ana Souza',
      'Fuso horário': 'Brasília',
      Aviso: 'Dados fictícios.',
      Filtros: 'sexo é masculino',
    })
    expect(sheets.Sobre?.[0]?.[0]).toBe('Sinistralidade')
    expect(facts['Dados de']).toBeInstanceOf(Date)
    expect(facts['Exportado em']).toBeInstanceOf(Date)
    const lines = sheets.Sobre?.map(([, fact]) => fact)
    expect(lines).toContain('Operadora é CNU ou BRADESCO')
    expect(lines).toContain('Seleção em “Valor por operadora”: CNU')
    expect(contentsOf(sheets.Sobre)).toEqual([
      ['linhas', 'linhas', 'Principal', 1, null],
      ['Valor por operadora', 'Valor por operadora', 'Principal', 2, null],
    ])
    expect(sheets.linhas).toEqual([
      ['Linha', 'Operadora'],
      ['linha-3', 'CNU'],
    ])
  })

  test('ExportTo as XLSX has several visuals of a page, each with the filters and the rows of the identity', async () => {
    const barras = { pageName: 'Main', visualName: 'barras' }
    const linhas = { pageName: 'Main', visualName: 'linhas' }
    const chosen = { identities: [identity(['cnu'])], pages: [barras, linhas] }
    const sheets = await sheetsOf({
      ...chosen,
      reportLevelFilters: [{ filter: "Claims/sexo eq 'masculino'" }],
    })
    expect(Object.keys(sheets)).toEqual(['Sobre', 'Valor por operadora', 'linhas'])
    expect(factsOf(sheets.Sobre)).toMatchObject({ Página: 'Principal', Filtros: 'sexo é masculino' })
    expect(contentsOf(sheets.Sobre)).toEqual([
      ['Valor por operadora', 'Valor por operadora', 'Principal', 1, null],
      ['linhas', 'linhas', 'Principal', 1, null],
    ])
    expect(sheets.linhas).toEqual([
      ['Linha', 'Operadora'],
      ['linha-3', 'CNU'],
    ])
  })

  test('ExportTo as XLSX is refused for a visual that does not exist', async () => {
    const gone = { ...everything, pages: [{ pageName: 'Main', visualName: 'gone' }] }
    const asked = await service.ask(order('XLSX', gone))
    expect([asked.statusCode, asked.json().error.code]).toEqual([400, 'InvalidRequest'])
  })

  const contentOf = async (configuration: object, report?: string) =>
    (await exported(configuration, {}, report))['@biManager.content']
  const none = [{ filter: "Claims/operadora eq 'NENHUMA'" }]

  test('ExportTo as XLSX says how many rows it has, a digest of them, and which visuals failed', async () => {
    const one = await contentOf({ identities: [identity(['cnu'])], pages: [{ pageName: 'Main' }] })
    expect(one).toEqual({ failedVisuals: 0, rows: 3, digest: expect.any(String) })
    const again = await contentOf({ identities: [identity(['cnu'])], pages: [{ pageName: 'Main' }] })
    expect(again).toEqual(one)
    const other = await contentOf({ identities: [identity(['bradesco'])], pages: [{ pageName: 'Main' }] })
    expect(other.digest).not.toBe(one.digest)
    const empty = await contentOf({ ...everything, pages: [{ pageName: 'Main' }], reportLevelFilters: none })
    expect(empty).toMatchObject({ failedVisuals: 0, rows: 0 })
    expect(await contentOf(everything, FAILING_REPORT)).toMatchObject({ failedVisuals: 1 })
  })

  test('ExportTo as XLSX does not name filters that readers may not see, but applies them', async () => {
    const hidden = operators(['CNU'], { displaySettings: { isHiddenInViewMode: true } })
    const sheets = await sheetsOf({
      ...everything,
      pages: [{ pageName: 'Main', visualName: 'linhas', bookmark: bookmark({ reportFilters: [hidden] }) }],
    })
    expect(factsOf(sheets.Sobre)).toMatchObject({ Filtros: 'Nenhum' })
    expect(Object.keys(sheets)).toEqual(['Sobre', 'linhas'])
    expect(sheets.linhas).toHaveLength(3)
  })

  test('ExportTo as XLSX names the visuals without a sheet, and why', async () => {
    const sheets = await sheetsOf({
      ...everything,
      reportLevelFilters: [{ filter: "Claims/operadora eq 'NENHUMA'" }],
    })
    expect(Object.keys(sheets)).toEqual(['Sobre', 'soma'])
    expect(contentsOf(sheets.Sobre)).toEqual([
      [null, 'linhas', 'Principal', 0, 'Sem planilha: não há dados com estes filtros.'],
      [null, 'Valor por operadora', 'Principal', 0, 'Sem planilha: não há dados com estes filtros.'],
      ['soma', 'soma', 'Segunda', 1, null],
    ])
  })

  test('ExportTo as XLSX fails with the code of the reader for a bookmark of another report', async () => {
    const state = bookmark({ report: 'e0000000-0000-4000-8000-000000000009' })
    const done = await exported({ ...everything, pages: [{ pageName: 'Main', bookmark: state }] })
    expect(done).toMatchObject({ status: 'Failed', error: { code: 'InvalidBookmarkState' } })
  })

  test('ExportTo as XLSX is refused without an identity for rows that need one', async () => {
    const asked = await service.ask(order('XLSX', { pages: [{ pageName: 'Main' }] }))
    expect([asked.statusCode, asked.json().error.code]).toEqual([400, 'InvalidRequest'])
  })

  test('ExportTo as XLSX states the limit of rows where it was reached', async () => {
    const sheets = await sheetsOf(everything, {}, MANY_REPORT)
    const note = 'Só as primeiras 10.000 linhas: há mais. Use os filtros para exportar as outras.'
    expect(sheets.muitas).toHaveLength(10_003)
    expect(sheets.muitas?.at(-1)?.[0]).toBe(note)
    expect(contentsOf(sheets.Sobre)).toEqual([['muitas', 'muitas', 'Muitas', 10_000, note]])
  })
})
