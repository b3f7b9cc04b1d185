import { existsSync } from 'node:fs'
import { mkdir, rename, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { literal, openDatabase } from '@bi-manager/reports/engine/data/database/database'

export const workspaceId = 'b0000000-0000-4000-8000-000000000001'
export const reportId = 'b0000000-0000-4000-8000-000000000002'
export const datasetId = 'b0000000-0000-4000-8000-000000000003'

/** Created once and kept in the temporary folder. Change the number in the name with the data. */
const folderOf = (rows: number, suffix: string) =>
  join(tmpdir(), `bi-manager-bench-reports-1-${rows}${suffix}`)

/** Each identity's customData, a number below 40, names its share of the rows. */
export const rowRole = {
  name: 'Parte',
  rows: { Sinistros: 'beneficiario % 40 = CAST($customdata AS INTEGER)' },
}

/**
 * Ensures a data folder with one table of reproducible claims, and a report of two pages.
 * @param roles the row-level security roles of the dataset
 */
export const ensureReportData = async (rows: number, roles: (typeof rowRole)[] = []): Promise<string> => {
  const folder = folderOf(rows, roles.length > 0 ? '-roles' : '')
  const dataset = join(folder, 'datasets/sinistros')
  const workspace = join(folder, 'workspaces/bench')
  for (const one of [dataset, workspace]) await mkdir(one, { recursive: true })
  const file = join(dataset, 'Sinistros.parquet')
  if (!existsSync(file)) {
    const database = await openDatabase({ memoryMegabytes: 2048, timeoutMs: 600_000 })
    const aside = `${file}.${process.pid}`
    await database.load(`COPY (${claims(rows)}) TO ${literal(aside)} (FORMAT parquet)`)
    await database.close()
    await rename(aside, file)
  }
  await writeFile(join(dataset, 'dataset.json'), JSON.stringify({ ...datasetDefinition, roles }))
  await writeFile(
    join(workspace, 'workspace.json'),
    JSON.stringify({ id: workspaceId, name: 'Comparação de tempos' }),
  )
  await writeFile(join(workspace, 'sinistros.json'), JSON.stringify(report))
  return folder
}

/** Each column uses other digits of a hash of the row number, which serves as the seed. */
const claims = (rows: number) => {
  const digits = (prime: number, many: number) => `((h // ${prime}) % ${many})::INTEGER`
  const pick = (prime: number, ...texts: string[]) =>
    `[${texts.map(literal).join()}][1 + ${digits(prime, texts.length)}]`
  const numbered = (prime: number, many: number, name: string) =>
    `${literal(name)} || lpad((1 + ${digits(prime, many)})::VARCHAR, 4, '0')`
  return `SELECT
    DATE '2023-11-01' + ${digits(1, 1096)} AS data,
    date_trunc('month', DATE '2023-11-01' + ${digits(1, 1096)})::DATE AS mes,
    ${pick(1097, 'BRADESCO', 'CNU', 'SANTA_CASA', 'PARANA_CLINICAS')} AS operadora,
    ${numbered(5003, 6, 'Plano ')} AS plano,
    ${numbered(10_007, 20, 'Especialidade ')} AS especialidade,
    ${numbered(20_011, 2000, 'Prestador ')} AS prestador,
    ${pick(40_009, 'feminino', 'masculino')} AS sexo,
    ${pick(80_021, '00 a 18', '19 a 28', '29 a 38', '39 a 48', '49 a 58', '59 ou mais')} AS faixa_etaria,
    ${digits(160_001, 500_000)} AS beneficiario,
    (${digits(320_009, 500_000)} / 100)::DECIMAL(12, 2) AS valor,
    ${digits(640_007, 12)} AS dias,
    1 AS eventos
  FROM (SELECT (hash(row_number) // 2)::BIGINT AS h FROM range(${rows}) t(row_number))`
}

const datasetDefinition = {
  id: datasetId,
  name: 'Sinistros',
  tables: { Sinistros: { file: 'Sinistros.parquet' } },
  summaries: [
    {
      name: 'PorPlano',
      of: 'Sinistros',
      by: ['mes', 'operadora', 'plano', 'especialidade', 'sexo', 'faixa_etaria'],
      sums: ['valor', 'dias', 'eventos'],
    },
    {
      name: 'PorPrestador',
      of: 'Sinistros',
      by: ['mes', 'operadora', 'prestador'],
      sums: ['valor', 'dias', 'eventos'],
    },
  ],
}

type Query = { type: string; title: string; query: string; format?: object; [more: string]: unknown }
const cost = { custo: 'moedaCurta' }
const costAndMean = { ...cost, media: 'moeda' }

/** Six visuals per page, in three columns and two rows. */
const pageOf = (name: string, visuals: Query[]) => ({
  name,
  displayName: name,
  visuals: visuals.map((visual, index) => ({
    name: `v${index}`,
    layout: { x: 24 + (index % 3) * 412, y: 24 + Math.floor(index / 3) * 340, width: 396, height: 324 },
    ...visual,
  })),
})

const bars = (title: string, column: string, where = ''): Query => ({
  type: 'bar',
  title,
  summary: column === 'prestador' ? 'PorPrestador' : 'PorPlano',
  format: cost,
  query: `SELECT ${column}, sum(valor) AS custo FROM Sinistros ${where} GROUP BY 1 ORDER BY 2 DESC LIMIT 12`,
  option: { series: [{ type: 'bar', encode: { y: column, x: 'custo' } }] },
})
const byMonth = (title: string, measure: string): Query => ({
  type: 'line',
  title,
  summary: 'PorPlano',
  format: cost,
  query: `SELECT mes, ${measure} AS custo FROM Sinistros GROUP BY 1 ORDER BY 1`,
  option: { series: [{ type: 'line', encode: { x: 'mes', y: 'custo' } }] },
})

const report = {
  id: reportId,
  name: 'Sinistros',
  dataset: datasetId,
  filterPane: [{ target: { table: 'Sinistros', column: 'operadora' }, label: 'Operadora' }],
  pages: [
    pageOf('Custos', [
      {
        type: 'card',
        title: 'Custo',
        summary: 'PorPlano',
        format: { valor: 'moedaCurta' },
        query: 'SELECT mes, sum(valor) AS valor FROM Sinistros GROUP BY 1 ORDER BY 1 DESC LIMIT 1',
      },
      byMonth('Custo por mês', 'sum(valor)'),
      bars('Custo por operadora', 'operadora'),
      {
        type: 'donut',
        title: 'Custo por faixa etária',
        summary: 'PorPlano',
        format: cost,
        query: 'SELECT faixa_etaria, sum(valor) AS custo FROM Sinistros GROUP BY 1 ORDER BY 1',
        option: { series: [{ type: 'pie', encode: { itemName: 'faixa_etaria', value: 'custo' } }] },
      },
      bars('Prestadores', 'prestador'),
      {
        type: 'table',
        title: 'Especialidades',
        summary: 'PorPlano',
        format: costAndMean,
        query:
          'SELECT especialidade, sum(valor) AS custo, sum(valor) / sum(eventos) AS media FROM Sinistros GROUP BY 1 ORDER BY 2 DESC',
        totals: { custo: 'sum(custo)' },
      },
    ]),
    pageOf('Detalhes', [
      byMonth('Diárias por mês', 'sum(dias)'),
      bars('Planos', 'plano'),
      bars('Especialidades de mulheres', 'especialidade', "WHERE sexo = 'feminino'"),
      {
        type: 'matrix',
        title: 'Operadoras e faixas',
        summary: 'PorPlano',
        format: costAndMean,
        query: 'SELECT operadora, faixa_etaria, valor, eventos FROM Sinistros',
        matrix: {
          rows: ['operadora'],
          columns: ['faixa_etaria'],
          values: { custo: 'sum(valor)', media: 'sum(valor) / sum(eventos)' },
        },
      },
      {
        type: 'bar',
        title: 'Operadoras e seus prestadores',
        summary: 'PorPrestador',
        format: cost,
        query: 'SELECT operadora, prestador, valor FROM Sinistros',
        drill: {
          levels: [
            { column: 'operadora', label: 'Operadora' },
            { column: 'prestador', label: 'Prestador' },
          ],
          values: { custo: 'sum(valor)' },
        },
        option: { series: [{ type: 'bar', encode: { y: 'nivel', x: 'custo' } }] },
      },
      {
        type: 'table',
        title: 'Sem resumo: atendimentos contados',
        query: 'SELECT operadora, count(*) AS eventos FROM Sinistros GROUP BY 1 ORDER BY 1',
      },
    ]),
  ],
}
