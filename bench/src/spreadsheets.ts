import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readDraft } from '@bi-manager/reports/authoring/drafts/reading/read-draft'
import { literal, openDatabase } from '@bi-manager/reports/engine/data/database/database'
import { type TestCell, workbookOf } from '@bi-manager/reports/test/workbooks'
import { createSeries, median, tableLine } from './figures.ts'

const rowCount = 100_000
/** Rows of the large CSV. */
const manyRows = 1_000_000
const rounds = 3
const memoryMegabytes = 512

const formats = ['dd/mm/yyyy', 'dd/mm/yyyy hh:mm', '"R$" #,##0.00', '0.0%', '00000-000']
const headings = ['Data', 'Entrada', 'Município', 'Situação', 'Valor', 'Taxa', 'Qtd', 'CEP', 'Nota', 'Ativo']

const spreadsheet = (): Buffer => {
  const rows = Array.from({ length: rowCount }, (_, index): TestCell[] => [
    { value: 46_000 + (index % 365), style: 1 },
    { value: 46_000 + (index % 365) + (index % 1_440) / 1_440, style: 2 },
    `Município ${index % 400}`,
    index % 3 ? 'Pago' : 'Aberto',
    { value: (index % 100_000) / 100, style: 3 },
    { value: (index % 100) / 1_000, style: 4 },
    index % 50,
    { value: 80_000_000 + index, style: 5 },
    `nota do atendimento ${index}`,
    index % 2 === 0,
  ])
  return workbookOf({ texts: 'shared', formats, sheets: [{ rows: [headings, ...rows] }] })
}

/** Such rows, as a Brazilian program exports them. */
const csv = (count: number): Buffer => {
  const two = (value: number) => String(value).padStart(2, '0')
  const lines = Array.from({ length: count }, (_, index) => {
    const day = `${two((index % 28) + 1)}/${two((index % 12) + 1)}/2026`
    const clock = `${two(index % 24)}:${two(index % 60)}`
    const amount = ((index % 100_000) / 100).toFixed(2).replace('.', ',')
    return [
      day,
      `${day} ${clock}`,
      `Município ${index % 400}`,
      index % 3 ? 'Pago' : 'Aberto',
      `R$ ${amount}`,
      `${index % 100}%`,
      index % 50,
      `80000-${index % 1_000}`,
      `nota do atendimento ${index}`,
      'true',
    ].join(';')
  })
  return Buffer.from([headings.join(';'), ...lines].join('\n'))
}

/** The base: DuckDB alone reads a CSV with its own detection, and writes the rows as the service does. */
const readAlone = async (file: string): Promise<number> => {
  const database = await openDatabase({ memoryMegabytes, timeoutMs: 600_000 })
  try {
    const start = performance.now()
    await database.load(
      `COPY (FROM read_csv(${literal(file)}, delim = ';')) TO ${literal(`${file}.parquet`)} (FORMAT parquet)`,
    )
    return performance.now() - start
  } finally {
    await database.close()
  }
}

/**
 * Prints how long the report service reads a sent spreadsheet, the same rows as CSV, and a CSV of ten
 * times as many, and the ratio to DuckDB alone on the CSV of as many rows.
 */
export const benchSpreadsheets = async (): Promise<void> => {
  console.log(
    `\nSpreadsheets: ten columns, ${rowCount} rows and a CSV of ${manyRows}; medians of ${rounds} rounds, in turns, ms.`,
  )
  const folder = await mkdtemp(join(tmpdir(), 'bench-spreadsheets-'))
  const times = createSeries()
  try {
    const drafts = [
      draftOf(folder, 'xlsx'),
      draftOf(folder, 'csv'),
      draftOf(folder, 'csv', 'muitas'),
    ] as const
    await writeFile(drafts[0].file, spreadsheet())
    await writeFile(drafts[1].file, csv(rowCount))
    await writeFile(drafts[2].file, csv(manyRows))
    for (let round = 0; round <= rounds; round++)
      for (const draft of drafts) {
        const start = performance.now()
        const reading = await readDraft(draft, { types: {}, mostMs: 600_000 }, memoryMegabytes)
        if (!('rows' in reading)) throw new Error(reading.faults.join())
        // The first round warms up the files.
        if (round > 0) times.add(draft.name, performance.now() - start)
        if (draft.kind === 'xlsx') continue
        const alone = await readAlone(draft.file)
        if (round > 0) times.add(`${draft.name} alone`, alone)
      }
  } finally {
    await rm(folder, { recursive: true })
  }
  const line = tableLine(20, 9)
  console.log(`\n${line('file', 'ms', 'DuckDB', 'ratio')}`)
  for (const [label, name, base] of [
    ['CSV', 'dados.csv', 'dados.csv'],
    ['XLSX', 'dados.xlsx', 'dados.csv'],
    [`CSV, ${manyRows} rows`, 'muitas.csv', 'muitas.csv'],
  ] as const) {
    const [ms, alone] = [median(times.of(name)), median(times.of(`${base} alone`))]
    console.log(line(label, ms.toFixed(0), alone.toFixed(0), (ms / alone).toFixed(2)))
  }
}

const draftOf = (folder: string, kind: 'xlsx' | 'csv', name = 'dados') => {
  const id = '00000000-0000-4000-8000-000000000000'
  return {
    id,
    name: `${name}.${kind}`,
    kind,
    folder,
    datasetId: id,
    reportId: id,
    workspaceId: id,
    file: join(folder, `${name}-enviado.${kind}`),
    data: join(folder, `${name}-${kind}.parquet`),
    doubt: join(folder, `${name}-${kind}.txt`),
  }
}
