import { copyFile, mkdir, writeFile } from 'node:fs/promises'
import { basename, join, resolve } from 'node:path'
import { applyEdits, modify } from 'jsonc-parser'
import type { Column, Table } from '../../engine/data/catalog.ts'
import { linkOrCopy } from '../../engine/data/link-or-copy.ts'
import type { Draft } from '../drafts/files/draft-files.ts'
import type { DraftChoice } from '../drafts/reading/file-choices.ts'
import { type DraftColumn, NOTHING_CHOSEN, type ReadingChoices } from '../drafts/reading/read-draft.ts'
import type { ReplacedTable } from '../drafts/reading/read-draft-csv.ts'
import { draftType } from '../drafts/reading/read-draft-parquet.ts'
import type { TypicalSizes } from '../drafts/reading/typical-sizes.ts'
import { check, publish, type Settings } from '../publish/publish.ts'
import type { Publisher } from '../versions/record-versions.ts'
import type { createDigests, ReportState } from '../versions/report-state.ts'
import { compareColumns } from './compare-columns.ts'
import { isUnchanged, type Published } from './find-published.ts'
import { type ColumnChoices, formatsOf, readReplacement, type ScaleQuestion } from './read-replacement.ts'
import type { Outcome } from './restore-version.ts'
import { inWorkFolder } from './work-folder.ts'

type Replacement = {
  draft: Draft
  table: Table
  publisher: Publisher
  choices?: ColumnChoices
  /** How large the published numbers are. */
  sizes?: TypicalSizes
  digestOf?: ReturnType<typeof createDigests>
}
/** A column as it was read. `before`: its type in the published table; undefined of a new one. */
type ReplacedColumn = DraftColumn & { before: DraftColumn['type'] | undefined }
type DataOutcome = Outcome & {
  rows: number
  columns: ReplacedColumn[]
  /** The first rows, as DuckDB writes them; null without a value. */
  preview: (string | null)[][]
  /** What is not as before: columns that became wider, and numbers that are kept otherwise. */
  changes: string[]
  questions: ScaleQuestion[]
  /** How a CSV or a spreadsheet was read, and what may be chosen instead. */
  reading: ReadingChoices
  choice?: DraftChoice | undefined
}

/**
 * Replaces the rows of one table of a report's dataset by those of a draft with the same columns,
 * or only checks them. Definitions and roles stay.
 */
export const replaceData = async (
  settings: Settings,
  published: Published,
  { draft, table, publisher, choices = NO_CHOICES, sizes = new Map(), digestOf }: Replacement,
  act: 'check' | 'publish',
): Promise<DataOutcome> => {
  const { state } = published
  const columns = [...table.columns.values()]
  const { quotesData, memoryMegabytes } = settings
  const { definition } = state
  const replacement = await readReplacement(draft, columns, choices, {
    definition,
    replaced: { ...replacedTable(settings.dataDir, state, table), sizes },
    timeZone: state.timeZone,
    quotesData,
    memoryMegabytes,
  })
  const { reading, questions, scaled, refused } = replacement
  const { choice } = reading
  if (!('columns' in reading)) return { ...NOTHING_READ, faults: reading.faults, choice }
  const { rows, preview, decimal, isInDoubt, dateOrder, isOrderInDoubt, totals, withoutTotals } = reading
  const compared = compareColumns(columns, refused.length > 0 ? [] : reading.columns, choices.types)
  const named = (sentence: string) => `${draft.name}: ${sentence}`
  const empty = rows === 0 ? [named('não tem nenhuma linha de dados')] : []
  const faults = [
    ...refused,
    ...compared.faults.map(named),
    ...questions.map(askedAs).map(named),
    ...empty,
    ...reading.doubts,
  ]
  const changes = [...compared.changes, ...scaled, ...reading.rewritten]
  const remarks = [
    ...reading.remarks,
    ...compared.remarks.map(named),
    ...roundedIn(definition, columns, reading.columns).map(named),
  ]
  const read = {
    rows,
    preview,
    changes,
    questions,
    columns: withTypesBefore(columns, reading.columns),
    reading: { decimal, isInDoubt, dateOrder, isOrderInDoubt, totals, withoutTotals },
    choice,
  }
  if (faults.length > 0) return { faults, remarks, ...read }
  return inWorkFolder(settings.dataDir, async (parent) => {
    const folder = join(parent, 'dados')
    await mkdir(folder)
    const { text, file } = withFile(state, table.name)
    await writeFile(join(folder, 'dataset.json'), text)
    await copyFile(draft.data, join(folder, file))
    // The checks read all tables.
    const addOthers = async () => {
      for (const [name, path] of state.paths)
        if (name !== file) await linkOrCopy(join(settings.dataDir, path), join(folder, name))
    }
    // Only the new file is the author's: no sentence may quote the rows of the others.
    const copies = new Set(
      ['dataset.json', ...state.paths.keys()]
        .filter((name) => name !== file)
        .map((name) => resolve(folder, name)),
    )
    const own = { ...settings, copies }
    const complete = async () => {
      if (!(await isUnchanged(settings.dataDir, published, digestOf))) return false
      await addOthers()
      return true
    }
    if (act === 'check') await addOthers()
    const validated =
      act === 'check' ? await check(own, folder) : await publish(own, folder, publisher, complete)
    const known = (sentence: string) => sentence.replaceAll(folder, draft.name)
    const { concerned } = validated
    const all = [...remarks, ...validated.remarks.map(known)]
    return { faults: validated.faults.map(known), remarks: all, ...read, concerned }
  })
}

/** Returns what the table says about how its rows were read. */
const replacedTable = (
  dataDir: string,
  { tables, paths }: ReportState,
  table: Table,
): Omit<ReplacedTable, 'sizes'> => {
  const name = Object.keys(tables).find((one) => one.toLowerCase() === table.name.toLowerCase()) ?? table.name
  const { file = '', csv } = tables[name] ?? {}
  const path = paths.get(file)
  return {
    parquet: path?.endsWith('.parquet') ? join(dataDir, path) : undefined,
    decimal: csv?.decimal,
    sheet: table.sheet,
    dates: table.dates,
    columns: [...table.columns.values()].map(({ name, heading: label = name }) =>
      [name, label].map((one) => one.toLowerCase()),
    ),
    numbers: namesOf(table, 'integer', 'number'),
    days: namesOf(table, 'date'),
    spellings: new Map(
      [...table.columns.values()].flatMap(({ name, spellings }) =>
        spellings ? [[name, [...spellings.values()].flat()] as const] : [],
      ),
    ),
  }
}

const namesOf = ({ columns }: Table, ...kinds: Column['kind'][]): ReadonlySet<string> =>
  new Set([...columns.values()].flatMap(({ name, kind }) => (kinds.includes(kind) ? [name] : [])))

const NO_CHOICES: ColumnChoices = { types: {}, scales: {}, file: {} }
const NOTHING_READ = {
  remarks: [],
  rows: 0,
  columns: [],
  preview: [],
  changes: [],
  questions: [],
  reading: NOTHING_CHOSEN,
}

const withTypesBefore = (columns: Column[], read: DraftColumn[]): ReplacedColumn[] =>
  read.map((column) => {
    const kind = columns.find(({ name }) => name === column.name)?.kind
    return { ...column, before: kind && draftType(kind) }
  })

/** Says what to do once by hand. The answer is kept with the data, and holds for schedules. */
const askedAs = ({ label, hasSign, isUnknown, isFraction, example }: ScaleQuestion): string => {
  const shown = example === undefined ? '' : `, como ${example.replace('.', ',')}`
  const [what, before, which] = hasSign
    ? [
        'tem percentuais',
        isUnknown
          ? 'não se sabe se os dados publicados, de uma versão anterior, também são percentuais'
          : 'os dados publicados não',
        'se 8% é 0,08 ou 8',
      ]
    : [
        `tem números sem %${shown}`,
        isUnknown ? 'o relatório a mostra como percentual' : 'os dados publicados são percentuais',
        isFraction ? 'se 0,08 é 8% ou 0,08%' : 'se 8 é 8%',
      ]
  return `a coluna ${label} ${what}, e ${before}: envie este arquivo uma vez em Substituir dados e diga ${which}; as trocas seguintes, também as agendadas, usam a resposta`
}

/** Names columns with new decimals that the report shows without them. */
const roundedIn = (
  definition: ReportState['definition'],
  columns: Column[],
  read: DraftColumn[],
): string[] => {
  const isRounded = ({ name, type }: DraftColumn) =>
    type === 'number' &&
    columns.some((column) => column.name === name && column.kind === 'integer') &&
    formatsOf(definition, name).has('inteiro')
  return read
    .filter(isRounded)
    .map(
      ({ name, label }) =>
        `o relatório mostra a coluna ${label} sem casas decimais: para vê-las, troque na definição o formato inteiro de ${name} por decimal2`,
    )
}

/** Returns the dataset's definition with a Parquet file for the table, and the file's name. */
const withFile = ({ dataset, tables }: ReportState, tableName: string): { text: string; file: string } => {
  const text = dataset.text.replace(/^\uFEFF/, '')
  const name = Object.keys(tables).find((one) => one.toLowerCase() === tableName.toLowerCase()) ?? tableName
  const current = tables[name]?.file ?? ''
  const others = Object.entries(tables).flatMap(([other, { file }]) => (other === name ? [] : [file]))
  const stem = basename(current).replace(/\.(csv|tsv|txt|parquet|xlsx|xlsm)$/i, '')
  let file = `${stem}.parquet`
  // Two tables may read one file, and on some disks names ignore case.
  for (let count = 2; others.some((one) => one.toLowerCase() === file.toLowerCase()); count++)
    file = `${stem}-${count}.parquet`
  if (file === current) return { text: dataset.text, file }
  const options = { formattingOptions: { insertSpaces: true, tabSize: 2 } }
  const withoutCsv = applyEdits(text, modify(text, ['tables', name, 'csv'], undefined, options))
  return { text: applyEdits(withoutCsv, modify(withoutCsv, ['tables', name, 'file'], file, options)), file }
}
