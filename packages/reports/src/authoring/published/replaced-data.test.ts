import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import {
  CLAIMS,
  claimsDataset,
  fixtureFiles,
  PLAIN,
  PLAIN_REPORT,
  plainReport,
  REPORT,
  UNKNOWN,
  visual,
} from '../../../test/fixture.ts'
import { beginReplacing, csvOf, publishFile, rowsShown } from '../../../test/replacing.ts'
import { findDraft } from '../drafts/files/draft-files.ts'
import { findPublished } from './find-published.ts'
import { replaceData } from './replace-data.ts'

describe('replacing the data of a report', () => {
  test('a replacement keeps the definition, and is a version with its number of rows', async () => {
    const begun = await beginReplacing()
    const { draft, replace, get } = begun
    const published = await publishFile(begun)
    const { reportId } = published
    const definition = () =>
      get(`/publications/${reportId}/versions`).then(({ value }) => value.map((one: object) => one))
    const id = await draft(csvOf(5_000, 'DATA;Valor pago;Situação'))
    expect((await replace(reportId, id, 'Custos', '/check')).json()).toMatchObject({
      faults: [],
      remarks: [],
      rows: 5_000,
    })
    expect(await rowsShown(begun, published)).toBe(40)
    expect((await replace(reportId, id, 'custos')).json()).toMatchObject({ faults: [], rows: 5_000 })
    expect(await rowsShown(begun, published)).toBe(5_000)
    expect(await definition()).toMatchObject([
      { author: 'Bia', origin: 'portal', changes: ['Dados substituídos (5.000 linhas)'] },
      { author: 'Ana', origin: 'portal', changes: ['Publicado pela primeira vez'], data: 'kept' },
    ])
  })

  test('the replacement names columns by the headings of the file, also where they are missing', async () => {
    const begun = await beginReplacing()
    const { reportId } = await publishFile(begun)
    const headings = async () =>
      (await begun.get(`/publications/${reportId}/tables`)).value[0].columns.map(
        ({ name, label }: { name: string; label: string }) => `${name} = ${label}`,
      )
    expect(await headings()).toEqual(['Data = Data', 'Valor_pago = Valor pago', 'Situacao = Situação'])
    const short = await begun.draft('Data;Situação\n01/03/2026;a\n')
    const { faults } = (await begun.replace(reportId, short, 'Custos', '/check')).json()
    expect(faults).toEqual(['novo.csv: falta a coluna Valor pago'])
    const next = await begun.draft(csvOf(5, 'Data;VALOR PAGO;Situação'))
    expect((await begun.replace(reportId, next, 'Custos')).json().faults).toEqual([])
    expect(await headings()).toContain('Valor_pago = VALOR PAGO')
  })

  test('a replacement deletes the draft once it is published', async () => {
    const begun = await beginReplacing()
    const { reportId } = await publishFile(begun)
    const id = await begun.draft(csvOf(50))
    await begun.replace(reportId, id, 'Custos', '/check')
    const drafts = () => readdir(join(begun.service.dataDir, '.publicacao/rascunhos'))
    expect(await drafts()).toContain(id)
    expect((await begun.replace(reportId, id, 'Custos')).json().faults).toEqual([])
    expect(await drafts()).not.toContain(id)
  })

  test('a replacement is refused when other data is published at the same moment', async () => {
    const { service, draft } = await beginReplacing()
    const { dataDir } = service
    const file = await findDraft(dataDir, await draft('x\n1\n'), '')
    const published = await findPublished(dataDir, PLAIN_REPORT)
    expect(published).toBeDefined()
    if (!published) return
    const table = {
      name: 'Claims',
      source: 'Claims',
      hidden: false,
      columns: new Map([['x', { name: 'x', type: 'BIGINT', kind: 'integer' as const }]]),
    }
    await writeFile(join(dataDir, 'datasets/plain/c.csv'), 'x\n7\n8\n9\n')
    const settings = { dataDir, memoryMegabytes: 256 }
    const publisher = { author: 'Bia', origin: 'portal' as const }
    const replacement = { draft: file, table, publisher }
    const { faults } = await replaceData(settings, published, replacement, 'publish')
    expect(faults[0]).toMatch(/^O relatório foi publicado por outra pessoa neste instante/)
    expect(await readFile(join(dataDir, 'datasets/plain/c.csv'), 'utf8')).toBe('x\n7\n8\n9\n')
  })

  test('a replacement asks about the scale of a column with an inherited name, as of others', async () => {
    const begun = await beginReplacing({
      files: { ...fixtureFiles, 'datasets/plain/c.csv': 'constructor;x\n8,5;8,5\n12,5;12,5\n' },
    })
    const id = await begun.draft('constructor;x\n8%;8%\n12%;12%\n')
    const { questions } = (await begun.replace(PLAIN_REPORT, id, 'Claims', '/check')).json()
    expect(questions.map(({ name }: { name: string }) => name)).toEqual(['constructor', 'x'])
  })

  test('the replacement names missing and changed columns, and changes nothing', async () => {
    const begun = await beginReplacing()
    const { draft, replace } = begun
    const published = await publishFile(begun)
    const faultsOf = async (bytes: string) =>
      (await replace(published.reportId, await draft(bytes), 'Custos')).json().faults
    expect(await faultsOf('Data;Valor\n01/03/2026;1,5\n')).toEqual([
      'novo.csv: faltam as colunas Valor pago e Situação; no arquivo há a mais: Valor',
    ])
    expect(await faultsOf('Data;Valor pago;Situação\n01/03/2026;muito;a\n')).toEqual([
      'novo.csv: linha 2: coluna Valor pago: "muito" não é um número',
    ])
    // A schedule's faults are read by people who may not see the data.
    const id = await draft('Data;Valor pago;Situação\n01/03/2026;muito;a\n')
    const body = { draft: id, table: 'Custos', author: 'Bia', quotesData: false }
    expect((await begun.post(`/publications/${published.reportId}/data`, body)).json().faults).toEqual([
      'novo.csv: linha 2: coluna Valor pago: o valor não é um número',
    ])
    expect(await faultsOf('Data;Valor pago;Situação\n')).toEqual(['novo.csv: não tem nenhuma linha de dados'])
    expect(await rowsShown(begun, published)).toBe(40)
  })

  test('a replacement keeps the type of a column whose new values look like another one', async () => {
    const begun = await beginReplacing()
    const { draft, replace, get } = begun
    const published = await publishFile(begun)
    const id = await draft('Data;Valor pago;Situação;Nova\n01/03/2026;2;00123;x\n')
    expect((await replace(published.reportId, id, 'Custos')).json()).toMatchObject({
      faults: [],
      rows: 1,
      remarks: ['novo.csv: colunas novas, que o relatório não usa: Nova'],
    })
    const [table] = (await get(`/publications/${published.reportId}/tables`)).value
    expect(table).toEqual({
      name: 'Custos',
      hidden: false,
      columns: [
        { name: 'Data', label: 'Data', kind: 'date' },
        { name: 'Valor_pago', label: 'Valor pago', kind: 'number' },
        { name: 'Situacao', label: 'Situação', kind: 'text' },
        { name: 'Nova', label: 'Nova', kind: 'text' },
      ],
    })
  })

  test('a replacement refuses a Parquet file with a column of another type', async () => {
    const begun = await beginReplacing()
    const { draft, replace, service } = begun
    const { reportId } = await publishFile(begun)
    const other = await draft('Data;Valor pago;Situação\n01/03/2026;1,5;7\n', 'Outro.csv')
    await begun.post(`/drafts/${other}/read`, { reportName: 'x' })
    const parquet = join(service.dataDir, '.publicacao/rascunhos', other, 'dados.parquet')
    const id = await draft(await readFile(parquet), 'novo.parquet')
    expect((await replace(reportId, id, 'Custos')).json().faults).toEqual([
      'novo.parquet: a coluna Situacao era texto e agora é número inteiro',
    ])
  })

  // Kind: a dry run executes SQL on published rows; here the author brings only one table.
  test('a replacement reads no row of the other tables in a check, and quotes none when it is published', async () => {
    const secret = 'SEGREDO'
    const dataset = {
      id: PLAIN,
      name: 'Simples',
      tables: { Claims: { file: 'c.csv' }, Other: { file: 'o.csv' } },
      summaries: [{ name: 'Somas', of: 'Other', by: ['k'], sums: ['v'] }],
    }
    // It was published when the rows gave the same result with the aggregation table.
    const isOne = '(SELECT count(DISTINCT k) FROM Other) = 1'
    const query = `SELECT sum(v) + CASE WHEN ${isOne} THEN count(*) ELSE 0 END AS n FROM Other`
    const pages = [{ name: 'Main', displayName: 'P', visuals: [visual('n', query, { summary: 'Somas' })] }]
    const rows = Array.from({ length: 12 }, (_, n) => `${n % 2 ? secret : 'A'},${n}`)
    const { draft, replace } = await beginReplacing({
      files: {
        'datasets/plain/dataset.json': dataset,
        'datasets/plain/o.csv': `k,v\n${rows.join('\n')}\n`,
        'workspaces/two/plain.json': { ...plainReport, pages },
      },
    })
    const id = await draft('x\n5\n6\n')
    expect((await replace(PLAIN_REPORT, id, 'Claims', '/check')).json().faults).toEqual([])
    const { faults } = (await replace(PLAIN_REPORT, id, 'Claims')).json()
    expect(faults).toEqual([expect.stringMatching(/visuals\[0\]: com as linhas já publicadas, /)])
    expect(faults.join()).not.toContain(secret)
  })

  test('a replacement quotes no value of the new file in the faults of a schedule, which others read', async () => {
    const summaries = [{ name: 'Somas', of: 'Claims', by: ['k'], sums: ['v'] }]
    const isOne = '(SELECT count(DISTINCT k) FROM Claims) = 1'
    const query = `SELECT sum(v) + CASE WHEN ${isOne} THEN count(*) ELSE 0 END AS n FROM Claims`
    const pages = [{ name: 'Main', displayName: 'P', visuals: [visual('n', query, { summary: 'Somas' })] }]
    const { draft, post } = await beginReplacing({
      files: {
        'datasets/plain/dataset.json': {
          id: PLAIN,
          name: 'Simples',
          tables: { Claims: { file: 'c.csv' } },
          summaries,
        },
        'datasets/plain/c.csv': 'k,v\nA,1\n',
        'workspaces/two/plain.json': { ...plainReport, pages },
      },
    })
    const rows = Array.from({ length: 12 }, (_, n) => `${n % 2 ? 'SEGREDO' : 'A'},${n}`)
    const faultsOf = async (quotesData: boolean) => {
      const id = await draft(`k,v\n${rows.join('\n')}\n`)
      const body = { draft: id, table: 'Claims', author: 'Agendamento', quotesData }
      return (await post(`/publications/${PLAIN_REPORT}/data`, body)).json().faults.join()
    }
    expect(await faultsOf(false)).toMatch(/o resultado é outro \(sem papel, filtro k\)/)
    expect(await faultsOf(true)).toMatch(/o resultado é outro \(sem papel, filtro k = SEGREDO\)/)
  })

  test('a replacement keeps roles and other tables of a dataset that authors wrote, whose CSV becomes Parquet', async () => {
    const begun = await beginReplacing()
    const { draft, replace, service } = begun
    const text = await readFile(join(service.dataDir, 'datasets/claims/dataset.json'), 'utf8')
    const header = 'id,operadora,sexo,valor,dia,pago,hora'
    const rows = `${header}\n8,CNU,x,1.5,2024-01-05,true,2024-01-05 10:00:00\n9,BRADESCO,x,2,,,\n`
    expect((await replace(REPORT, await draft(rows))).json()).toMatchObject({ faults: [], rows: 2 })
    const after = JSON.parse(await readFile(join(service.dataDir, 'datasets/claims/dataset.json'), 'utf8'))
    const tables = { ...claimsDataset.tables, Claims: { file: 'claims.parquet' } }
    expect(after).toEqual({ ...JSON.parse(text), id: CLAIMS, tables })
    expect(await service.ids(await service.embedToken(['cnu']))).toEqual([8])
    expect(await service.ids(await service.embedToken(['por-usuario'], { username: 'bia@x.br' }))).toEqual([
      9,
    ])
  })

  test('a replacement gives a table its own file when another one reads the same', async () => {
    const tables = { Claims: { file: 'c.csv' }, Other: { file: 'c.csv' } }
    const files = { 'datasets/plain/dataset.json': { id: PLAIN, name: 'Simples', tables } }
    const { draft, replace, service } = await beginReplacing({ files })
    const first = await draft('x\n1\n')
    expect((await replace(PLAIN_REPORT, first)).json().faults).toEqual([])
    expect((await replace(PLAIN_REPORT, await draft('x\n1\n2\n3\n'), 'Other')).json().faults).toEqual([])
    const after = JSON.parse(await readFile(join(service.dataDir, 'datasets/plain/dataset.json'), 'utf8'))
    expect(after.tables).toEqual({ Claims: { file: 'c.parquet' }, Other: { file: 'c-2.parquet' } })
  })

  test('a replacement needs a known report, table and draft', async () => {
    const { draft, replace, post } = await beginReplacing()
    const id = await draft('x\n1\n')
    for (const answer of [
      await replace(UNKNOWN, id),
      await replace(PLAIN_REPORT, id, 'Outra'),
      await replace(PLAIN_REPORT, UNKNOWN),
    ])
      expect(answer.statusCode).toBe(404)
    expect((await post(`/publications/${PLAIN_REPORT}/data`, { draft: '../x', table: 'x' })).statusCode).toBe(
      400,
    )
  })
})
