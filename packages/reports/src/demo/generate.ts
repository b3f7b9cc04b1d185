import { createHash } from 'node:crypto'
import {
  access,
  chmod,
  copyFile,
  cp,
  link,
  mkdir,
  readdir,
  readFile,
  rename,
  rm,
  writeFile,
} from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'
import { DatasetDefinition } from '../definitions/definition.ts'
import { unlessMissing } from '../definitions/missing-files.ts'
import { isAlive } from '../engine/data/database/is-alive.ts'
import { claims, claimsTable } from './claims.ts'
import { feesTable, membersTable } from './membership.ts'
import { type Table, writeParquet } from './parquet.ts'
import { population } from './population.ts'
import { deliveriesTable, teleconsultationsTable } from './services.ts'
import { workforceTables } from './workforce.ts'

const SOURCE = fileURLToPath(new URL('.', import.meta.url))
const DEFINITIONS = fileURLToPath(new URL('../../demo/', import.meta.url))
const MARKER = 'demo.json'

const PARTS = ['datasets', 'workspaces']
const PRIVATE_FOLDER = 0o700
const PRIVATE_FILE = 0o600

/**
 * Writes the demo's definitions and fictitious data into the data folder `dir`, next to other
 * files. Does nothing if this version exists.
 * @throws Error when the folder has definitions that are not the demo's
 */
export const ensureDemoData = async (dir: string): Promise<void> => {
  const folder = resolve(dir)
  const version = await demoVersion()
  const found = await stateOf(folder, version)
  if (found === 'current') return
  if (found === 'foreign') {
    throw new Error(
      `A pasta ${folder} já contém definições que não são da demonstração. Indique outra pasta.`,
    )
  }
  await mkdir(folder, { recursive: true, mode: PRIVATE_FOLDER })
  await chmod(folder, PRIVATE_FOLDER)
  await removeLeftovers(folder)
  const building = join(folder, `.building-${process.pid}`)
  await cp(DEFINITIONS, building, { recursive: true })
  await writeData(join(building, 'datasets'))
  await makePrivate(building)
  await moveInto(folder, building, version)
}

/** Returns a hash of all inputs: the generator's sources and the committed definitions. */
const demoVersion = async (): Promise<string> => {
  const hash = createHash('sha256')
  for (const folder of [SOURCE, DEFINITIONS]) {
    const names = (await readdir(folder, { recursive: true }))
      .filter((name) => /\.(ts|json|csv)$/.test(name) && !name.endsWith('.test.ts'))
      .sort()
    for (const name of names) hash.update(`${name}\0`).update(await readFile(join(folder, name)))
  }
  return hash.digest('hex').slice(0, 32)
}

const stateOf = async (
  folder: string,
  version: string,
): Promise<'missing' | 'current' | 'old' | 'foreign'> => {
  const entries = await namesIn(folder)
  if (!entries.includes(MARKER)) return PARTS.some((part) => entries.includes(part)) ? 'foreign' : 'missing'
  const marker = await readFile(join(folder, MARKER), 'utf8')
  const whole = PARTS.every((part) => entries.includes(part))
  return whole && marker.includes(`"${version}"`) ? 'current' : 'old'
}

/** Deletes the leftovers of interrupted starts, but no folders of living processes. */
const removeLeftovers = async (folder: string): Promise<void> => {
  for (const name of await namesIn(folder)) {
    const pid = Number(/^\.(?:building|replaced)-(\d+)$/.exec(name)?.[1])
    if (pid > 0 && (pid === process.pid || !isAlive(pid))) {
      await rm(join(folder, name), { recursive: true, force: true })
    }
  }
}

/** Copied files have their source's mode, DuckDB's files that of the process's umask. */
const makePrivate = async (folder: string): Promise<void> => {
  await chmod(folder, PRIVATE_FOLDER)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    await chmod(join(entry.parentPath, entry.name), entry.isDirectory() ? PRIVATE_FOLDER : PRIVATE_FILE)
  }
}

const namesIn = async (folder: string): Promise<string[]> =>
  (await readdir(folder).catch(unlessMissing)) ?? []

/** Replaces the parts. The marker has no version until then, so interruptions are repaired. */
const moveInto = async (folder: string, building: string, version: string): Promise<void> => {
  const replaced = join(folder, `.replaced-${process.pid}`)
  try {
    await mkdir(replaced, { recursive: true, mode: PRIVATE_FOLDER })
    await writeMarker(folder, null)
    for (const part of PARTS) {
      await rename(join(folder, part), join(replaced, part)).catch(unlessMissing)
      await rename(join(building, part), join(folder, part))
    }
    await writeMarker(folder, version)
  } finally {
    await rm(building, { recursive: true, force: true })
    await rm(replaced, { recursive: true, force: true })
  }
}

const writeMarker = async (folder: string, version: string | null): Promise<void> => {
  const aside = join(folder, `.building-${process.pid}`, MARKER)
  await writeFile(aside, `${JSON.stringify({ version })}\n`, { mode: PRIVATE_FILE })
  await rename(aside, join(folder, MARKER))
}

/** Writes each table once and links it into every dataset that uses it. */
const writeData = async (datasets: string): Promise<void> => {
  const people = population()
  const paid = claims(people)
  const instance = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await instance.connect()
  try {
    const write = tableWriter(connection, datasets, await foldersByFile(datasets))
    await write(claimsTable(paid))
    await write(feesTable(people, paid))
    await write(membersTable(people))
    await write(teleconsultationsTable(people))
    await write(deliveriesTable(people))
    const [absences, headcount] = workforceTables()
    await write(absences)
    await write(headcount)
  } finally {
    connection.closeSync()
    instance.closeSync()
  }
}

const tableWriter = (connection: DuckDBConnection, datasets: string, folders: Map<string, string[]>) => {
  return async <Row extends object>(table: Table<Row>) => {
    const file = `${table.name}.parquet`
    const [first, ...others] = folders.get(file) ?? []
    if (first === undefined) throw new Error(`No dataset of the demo names ${file}.`)
    await writeParquet(connection, table, join(datasets, first))
    for (const other of others) await share(join(datasets, first, file), join(datasets, other, file))
  }
}

/** Creates a hard link, or a copy where the file system has none. */
const share = async (from: string, to: string): Promise<void> => {
  await link(from, to).catch(() => copyFile(from, to))
}

const foldersByFile = async (datasets: string): Promise<Map<string, string[]>> => {
  const folders = new Map<string, string[]>()
  for (const folder of (await readdir(datasets)).sort()) {
    const definition = JSON.parse(await readFile(join(datasets, folder, 'dataset.json'), 'utf8'))
    for (const { file } of Object.values(DatasetDefinition.parse(definition).tables)) {
      if (file.endsWith('.csv')) await access(join(datasets, folder, file))
      else folders.set(file, [...(folders.get(file) ?? []), folder])
    }
  }
  return folders
}
