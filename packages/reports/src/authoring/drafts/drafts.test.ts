import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { beginDrafts as begin } from '../../../test/draft-calls.ts'
import { GROUP, PLAIN, PLAIN_REPORT, serviceWith, UNKNOWN } from '../../../test/fixture.ts'
import { buildApp } from '../../app.ts'
import { literal, openDatabase } from '../../engine/data/database/database.ts'

const header = 'Data;Município;Situação;Valor pago;Desconto;Código;Observação'
/** 5,000 rows as Brazilian spreadsheets write them. */
const rows = (count: number) =>
  Array.from({ length: count }, (_, index) => {
    const day = `${String((index % 28) + 1).padStart(2, '0')}/0${(index % 9) + 1}/2026`
    const place = ['Curitiba', 'Londrina', 'Maringá'][index % 3]
    return `${day};${place};${index % 2 ? 'Pago' : 'Aberto'};R$ 1.${String(index % 1000).padStart(3, '0')},50;${index % 10}%;${String(index).padStart(6, '0')};nota ${index}`
  })
const csv = [header, ...rows(5_000)].join('\r\n')

describe('a data file becomes a report', () => {
  // The kind: an answer whose size a file decides, not the number of its rows.
  test('a data file becomes a report with a small sample of long texts', async () => {
    const service = await serviceWith()
    const { call, draft } = await begin(service)
    const long = Array.from({ length: 9 }, (_, index) => `${index};${'x'.repeat(900_000)}`)
    const read = await call(`${await draft(['Linha;Texto', ...long].join('\n'))}/read`, {
      reportName: 'Textos',
    })
    expect(read).toMatchObject({ faults: [], rows: 9 })
    expect(read.preview.map(([, text]: string[]) => text?.length)).toEqual(Array(9).fill(2_001))
  })

  test('a data file becomes a report whose numbers name the units of the row below the heading', async () => {
    const { call, draft } = await begin(await serviceWith())
    const lines = [
      'Operadora;Receita;Cobertura',
      'Unidade;R$ mil;(%)',
      'Alfa;1.234,5;95,5',
      'Beta;980,1;80,1',
    ]
    const read = await call(`${await draft(lines.join('\n'))}/read`, { reportName: 'Receitas' })
    expect(read.columns.map(({ label }: { label: string }) => label)).toEqual([
      'Operadora',
      'Receita (R$ mil)',
      'Cobertura (%)',
    ])
    const cards = read.report.pages[0].visuals.filter(({ type }: { type: string }) => type === 'card')
    expect(cards.map(({ title, format }: { title: string; format: object }) => [title, format])).toEqual([
      ['Linhas', expect.anything()],
      ['Receita (R$ mil)', expect.objectContaining({ Receita: 'decimal2' })],
      ['Cobertura (%) (média)', expect.objectContaining({ Cobertura: 'decimal2' })],
    ])
  })

  test('a data file becomes a report that sums whole amounts of as many digits', async () => {
    const { call, draft } = await begin(await serviceWith())
    const lines = [
      'Órgão;Dotação;Empenhado;Programa',
      'Saúde;1.250.000,00;850.000;104522',
      'Educação;3.480.000,00;920.500;104611',
      'Obras;7.100.000,00;999.000;208733',
    ]
    const read = await call(`${await draft(lines.join('\n'))}/read`, { reportName: 'Orçamento' })
    const cards = read.report.pages[0].visuals.filter(({ type }: { type: string }) => type === 'card')
    expect(cards.map(({ title }: { title: string }) => title)).toEqual(['Linhas', 'Dotação', 'Empenhado'])
  })

  test('a data file becomes a report with detected types, a preview, a proposal, and rows that readers see', async () => {
    const service = await serviceWith()
    const { token, call, draft } = await begin(service)
    const id = await draft(csv)
    const read = await call(`${id}/read`, { reportName: 'Atendimentos' })
    expect(read).toMatchObject({ faults: [], rows: 5_000 })
    expect(read.tables).toEqual([
      { name: 'Atendimentos_2026', columns: expect.arrayContaining(['Valor_pago']) },
    ])
    expect(
      read.columns.map(({ name, label, type, shownAs }: Record<string, string>) => [
        name,
        label,
        type,
        shownAs,
      ]),
    ).toEqual([
      ['Data', 'Data', 'date', undefined],
      ['Municipio', 'Município', 'text', undefined],
      ['Situacao', 'Situação', 'text', undefined],
      ['Valor_pago', 'Valor pago', 'number', 'money'],
      ['Desconto', 'Desconto', 'number', 'percent'],
      ['Codigo', 'Código', 'text', undefined],
      ['Observacao', 'Observação', 'text', undefined],
    ])
    expect(read.preview).toHaveLength(20)
    expect(read.preview[1]).toEqual(['2026-02-02', 'Londrina', 'Pago', '1001.5', '0.01', '000001', 'nota 1'])
    const shown = read.report.pages[0].visuals.map(({ type, title }: Record<string, string>) => [type, title])
    expect(shown).toEqual([
      ['card', 'Linhas'],
      ['card', 'Valor pago'],
      ['card', 'Desconto (média)'],
      ['slicer', 'Município'],
      ['slicer', 'Situação'],
      ['line', 'Valor pago por mês'],
      ['bar', 'Valor pago por Município'],
    ])

    const body = { workspace: { name: 'Minha área' }, report: JSON.stringify(read.report, null, 2) }
    const checked = await call(`${id}/check`, body)
    expect(checked).toMatchObject({ faults: [], remarks: [] })
    expect((await service.rest(token, 'GET', `/groups/${checked.workspaceId}/reports`)).statusCode).toBe(404)
    const published = await call(`${id}/publish`, body)
    expect(published).toEqual(checked)

    const { workspaceId, reportId } = published
    const listed = (await service.rest(token, 'GET', `/groups/${workspaceId}/reports`)).json()
    expect(listed.value.map(({ id, name }: { id: string; name: string }) => [id, name])).toEqual([
      [reportId, 'Atendimentos'],
    ])
    const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
    const embed = (await service.rest(token, 'POST', path, { accessLevel: 'View' })).json().token
    const { visuals } = (await service.data(embed, [], 'geral', reportId)).json()
    expect(visuals.total_1.rows).toEqual([[5_000]])
    expect(visuals.por_dimensao.rows).toHaveLength(3)
    expect(visuals.por_mes.rows).toHaveLength(9)
    expect(visuals.total_3.rows[0][0]).toBeCloseTo(0.045)
  })

  test('a data file becomes a report on the clock that the author chose, in the preview of the definition and for readers', async () => {
    const service = await serviceWith()
    const { token, call, draft } = await begin(service)
    const id = await draft('Quando;Valor\n2026-03-05T03:30:00Z;1\n2026-03-05T12:00:00Z;2\n')
    await call(`${id}/read`, { reportName: 'Plantões' })
    const query = 'SELECT Quando::DATE AS dia FROM Atendimentos_2026 ORDER BY 1'
    const layout = { x: 0, y: 0, width: 100, height: 100 }
    const visuals = [{ name: 'dias', type: 'table', title: 'Dias', layout, query }]
    const dayIn = async (timeZone?: string) => {
      const { report } = await call(`${id}/read`, { reportName: 'Plantões' })
      const pages = [{ name: 'p', displayName: 'P', visuals }]
      const body = { workspace: { name: 'Área' }, report: JSON.stringify({ ...report, pages }), timeZone }
      const { faults, workspaceId, reportId } = await call(`${id}/publish`, body)
      expect(faults).toEqual([])
      const path = `/groups/${workspaceId}/reports/${reportId}/GenerateToken`
      const embed = (await service.rest(token, 'POST', path, { accessLevel: 'View' })).json().token
      return (await service.data(embed, [], 'p', reportId)).json().visuals.dias.rows[0][0]
    }
    expect(await dayIn()).toBe('2026-03-05')
    expect(await dayIn('America/Manaus')).toBe('2026-03-04')
    const wrong = { workspace: { name: 'Área' }, report: '{}', timeZone: 'America/Atlantida' }
    expect((await call(`${id}/check`, wrong)).error.code).toBe('InvalidRequest')
  })

  test('a data file becomes a report in one workspace when two people create it at the same moment, in two processes', async () => {
    const service = await serviceWith()
    const { app: other } = await buildApp(service.config, { now: () => service.clock.now })
    onTestFinished(() => other.close())
    const people = [await begin(service, 'ana'), await begin({ ...service, app: other }, 'bia')]
    const published = await Promise.all(
      people.map(async ({ draft, call }, index) => {
        const id = await draft(csv)
        const { report } = await call(`${id}/read`, { reportName: `Relatório ${index}` })
        const workspace = { name: index ? 'minha ÁREA' : 'Minha área' }
        const publish = () => call(`${id}/publish`, { workspace, report: JSON.stringify(report) })
        // On a busy machine the first one may take longer than the second one waits.
        let answer = await publish()
        while (answer.error?.code === 'PublicationBusy') answer = await publish()
        return answer
      }),
    )
    expect(published.map(({ faults }) => faults)).toEqual([[], []])
    expect(new Set(published.map(({ workspaceId }) => workspaceId)).size).toBe(1)
    const areas = (await readdir(join(service.dataDir, 'workspaces'))).filter((name) => /minha/i.test(name))
    expect(areas).toHaveLength(1)
  })

  test('a data file becomes a report with the exact number of different values of each column of a small file', async () => {
    const { call, draft } = await begin(await serviceWith())
    const sizes = Array.from({ length: 60 }, (_, index) => index + 1)
    const line = (row: number) => sizes.map((size) => `v${row % size}`).join(';')
    const lines = Array.from({ length: 60 }, (_, row) => line(row))
    const id = await draft([sizes.map((size) => `c${size}`).join(';'), ...lines].join('\n'))
    const { columns } = await call(`${id}/read`, { reportName: 'x' })
    expect(columns.map(({ distinct }: { distinct: number }) => distinct)).toEqual(sizes)
  })

  test('beside the reports of an existing workspace, which keeps its name', async () => {
    const service = await serviceWith()
    const { token, call, draft } = await begin(service)
    const id = await draft('a;b\n1;2\n')
    const { report } = await call(`${id}/read`, { reportName: 'Novo' })
    const body = { workspace: { id: GROUP, name: 'Outro nome' }, report: JSON.stringify(report) }
    expect(await call(`${id}/publish`, body)).toMatchObject({ faults: [], workspaceId: GROUP })
    const names = async (path: string) =>
      (await service.rest(token, 'GET', path)).json().value.map(({ name }: { name: string }) => name)
    expect((await names(`/groups/${GROUP}/reports`)).sort()).toEqual(['Novo', 'Sinistralidade'])
    expect(await names('/groups')).toContain("Diretoria D'Oeste")
  })

  test('a data file becomes a report with long headings, and headings that the proposal uses itself', async () => {
    const { call, draft } = await begin(await serviceWith())
    const long = 'Valor total aprovado '.repeat(5).trim()
    const rows = Array.from({ length: 30 }, (_, index) => `${index % 2};Centro ${index % 3};${index},5`)
    const id = await draft([`Linhas;Unidade;${long}`, ...rows].join('\n'))
    const { report } = await call(`${id}/read`, { reportName: 'x' })
    const body = { workspace: { name: 'Área' }, report: JSON.stringify(report) }
    expect(await call(`${id}/check`, body)).toMatchObject({ faults: [], remarks: [] })
  })

  test('a data file becomes a report with headings that contain other separators, as of a spreadsheet', async () => {
    const { call, draft } = await begin(await serviceWith())
    const id = await draft('Unidade,"Tipo; motivo; x","a|b|c"\nCentro,x,1\nNorte,y,2\n')
    const { faults, columns } = await call(`${id}/read`, { reportName: 'x' })
    expect([faults, columns.map(({ label }: { label: string }) => label)]).toEqual([
      [],
      ['Unidade', 'Tipo; motivo; x', 'a|b|c'],
    ])
  })

  test('a data file becomes a report from a Parquet file, too', async () => {
    const service = await serviceWith()
    const { call, draft } = await begin(service)
    const id = await draft(csv)
    await call(`${id}/read`, { reportName: 'x' })
    const bytes = await readFile(join(service.dataDir, '.publicacao/rascunhos', id, 'dados.parquet'))
    const again = await draft(bytes, 'outra.parquet')
    const read = await call(`${again}/read`, { reportName: 'Outra' })
    expect(read).toMatchObject({ faults: [], rows: 5_000 })
    const body = { workspace: { name: 'Área' }, report: JSON.stringify(read.report) }
    expect((await call(`${again}/publish`, body)).faults).toEqual([])
  })

  test('a data file becomes a report from a Parquet file whose headings have line breaks, which become spaces', async () => {
    const service = await serviceWith()
    const { call, draft } = await begin(service)
    const file = join(service.dataDir, 'quebras.parquet')
    const database = await openDatabase({ memoryMegabytes: 128, timeoutMs: 10_000 })
    const select = `SELECT 'c' || range % 3 AS "Nome\r\ndo plano", range * 2.5 AS "Valor\npago" FROM range(30)`
    await database.load(`COPY (${select}) TO ${literal(file)} (FORMAT parquet)`)
    await database.close()
    const id = await draft(await readFile(file), 'quebras.parquet')
    const read = await call(`${id}/read`, { reportName: 'Quebras' })
    expect(read.columns.map(({ label }: { label: string }) => label)).toEqual(['Nome do plano', 'Valor pago'])
    expect(JSON.stringify(read.report)).not.toMatch(/\\[nr]/)
    const body = { workspace: { name: 'Área' }, report: JSON.stringify(read.report) }
    expect((await call(`${id}/publish`, body)).faults).toEqual([])
  })

  test('a data file becomes a report with types that the author corrects; a value of another type is named with its line', async () => {
    const service = await serviceWith()
    const { call, draft } = await begin(service)
    const id = await draft('CEP;Número\n80010;1\n80020;x\n')
    const types = (read: { columns: { name: string; type: string }[] }) =>
      read.columns.map(({ name, type }) => [name, type])
    expect(types(await call(`${id}/read`, { reportName: 'x' }))).toEqual([
      ['CEP', 'integer'],
      ['Numero', 'text'],
    ])
    const corrected = await call(`${id}/read`, { reportName: 'x', types: { CEP: 'text' } })
    expect(types(corrected)).toEqual([
      ['CEP', 'text'],
      ['Numero', 'text'],
    ])
    expect(await call(`${id}/read`, { reportName: 'x', types: { Numero: 'integer' } })).toEqual({
      faults: ['Atendimentos 2026.csv: linha 3: coluna Número: "x" não é um número inteiro'],
      choice: {
        sheets: [],
        heading: { first: 1, count: 1 },
        rows: [
          { row: 1, text: 'CEP · Número' },
          { row: 2, text: '80010 · 1' },
          { row: 3, text: '80020 · x' },
        ],
      },
    })
  })
})

describe('what an author did wrong', () => {
  test('what an author did wrong is said with its place in the definition, and nothing is published', async () => {
    const service = await serviceWith()
    const { token, call, draft } = await begin(service)
    const id = await draft(csv)
    const { report } = await call(`${id}/read`, { reportName: 'Atendimentos' })
    const attempt = (text: string) => call(`${id}/publish`, { workspace: { name: 'Área' }, report: text })
    const text = JSON.stringify(report, null, 2)
    expect((await attempt(text.replace('sum(Valor_pago)', 'sum(Valor_devido)'))).faults[0]).toMatch(
      /^Relatório: pages\[0\]\.visuals\[1\]\.query: a coluna Valor_devido não existe .*\(linha 35, coluna 20\)$/,
    )
    expect((await attempt(text.slice(0, -3))).faults[0]).toMatch(/^Relatório: .*linha \d+/)
    expect((await attempt(text.replace(report.id, UNKNOWN))).faults).toEqual([
      `Relatório: id: deixe ${report.id}, que é deste arquivo.`,
    ])
    expect((await attempt(text.replace(report.dataset, UNKNOWN))).faults).toEqual([
      `Relatório: dataset: deixe ${report.dataset}, que é deste arquivo.`,
    ])
    const groups = (await service.rest(token, 'GET', '/groups')).json().value
    expect(groups.map(({ name }: { name: string }) => name)).not.toContain('Área')
  })

  // Kind: a guard that reads a text in another way than the loader, and lets pass what it cannot read.
  test.each(['check', 'publish', 'preview'])(
    'a draft does not replace what is published, however the definition is written: %s',
    async (act) => {
      const service = await serviceWith()
      const path = join(service.dataDir, 'workspaces/two/plain.json')
      const before = await readFile(path, 'utf8')
      const { call, draft } = await begin(service)
      const id = await draft('a;b\n1;2\n')
      const { report } = await call(`${id}/read`, { reportName: 'Custos' })
      const text = (fields: object) => JSON.stringify({ ...report, ...fields })
      const attempt = async (text: string) =>
        (await call(`${id}/${act}`, { workspace: { name: 'Área' }, report: text })).faults
      const others = { id: PLAIN_REPORT, dataset: PLAIN }
      const changed = [`id: deixe ${report.id}`, `dataset: deixe ${report.dataset}`].map((fault) =>
        expect.stringContaining(fault),
      )
      expect(await attempt(`\uFEFF${text(others)}`)).toEqual(changed)
      expect(await attempt(`\uFEFF${text({ id: PLAIN_REPORT })}`)).toEqual(changed.slice(0, 1))
      const capitals = { id: PLAIN_REPORT.toUpperCase(), dataset: PLAIN.toUpperCase() }
      expect(await attempt(` \n${text(capitals)}`)).toEqual(changed)
      const unreadable = [
        `\uFEFF\uFEFF${text(others)}`,
        `// ${text({})}\n${text(others)}`,
        `${text(others)},`,
        text(others).replace('{', `{"id":"${report.id}",`),
      ]
      for (const one of unreadable)
        expect(await attempt(one)).toEqual([expect.stringMatching(/^Relatório: não pôde ser lido: /)])
      for (const one of ['[]', 'null']) expect(await attempt(one)).toEqual(changed)
      expect(await readFile(path, 'utf8')).toBe(before)
      expect(await attempt(`\uFEFF${text({})}`)).toEqual([])
    },
  )

  test.each([
    ['a file with a broken line', 'a;b\n1;2;3\n', ['x.csv: linha 2: 3 campos, e o cabeçalho tem 2']],
    ['an empty file', '', ['x.csv: está vazio: falta ao menos a linha de cabeçalho']],
  ])('what an author did wrong in %s is said when it is read', async (_name, bytes, faults) => {
    const { call, draft } = await begin(await serviceWith())
    expect(await call(`${await draft(bytes, 'x.csv')}/read`, { reportName: 'x' })).toMatchObject({ faults })
  })

  test('a draft that was not read is not published', async () => {
    const { call, draft } = await begin(await serviceWith())
    const id = await draft(csv)
    const body = { workspace: { name: 'Área' }, report: '{}' }
    const { faults } = await call(`${id}/publish`, body)
    expect(faults).not.toEqual([])
  })
})
