import { randomUUID } from 'node:crypto'
import { rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, statfs } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import pg from 'pg'
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { type Db, openDatabase } from '../../src/platform/db/open-database.ts'
import { copyEmbedded, schemaDigest } from './embedded-template.ts'

export interface TestDatabase {
  db: Db
  /** The arguments for `openDatabase` to open it again. */
  dataDir: string
  databaseUrl: string | undefined
  /** Empties every table except for rows that the migrations insert. */
  reset: () => Promise<void>
  close: () => Promise<void>
}

/**
 * Opens a separate migrated database: on PostgreSQL or embedded, by TEST_DATABASE. With `alone` it
 * is neither reused before nor afterwards: for tests that close it early or read its files.
 */
export const openTestDatabase = async ({ alone = false } = {}): Promise<TestDatabase> => {
  const reused = alone ? undefined : parked
  if (reused) parked = undefined
  const { db, dataDir, databaseUrl, asNew, reset } = reused ?? (await openNew())
  return {
    db,
    dataDir,
    databaseUrl,
    reset,
    close: async () => {
      // A test may have left a database that no longer answers.
      const isReusable =
        !alone && process.env.VITEST && !parked && (await isAsNew(db, reset, asNew).catch(() => false))
      if (!isReusable) return discard({ db, dataDir, databaseUrl })
      await emptyBut(dataDir, 'database')
      parked = { db, dataDir, databaseUrl, asNew, reset }
    },
  }
}

const discard = async ({
  db,
  dataDir,
  databaseUrl,
}: Omit<TestDatabase, 'reset' | 'close'>): Promise<void> => {
  await db.destroy()
  await rm(dataDir, { recursive: true, force: true })
  if (databaseUrl) await dropDatabase(databaseUrl)
}

interface Opened extends Omit<TestDatabase, 'close'> {
  /** The result of `stateOf` before the first use. */
  asNew: string
}

/**
 * The database that an earlier test file of this process has returned, emptied: opening another
 * takes ten times as long. One is enough, because files run one after the other.
 */
let parked: Opened | undefined
if (process.env.VITEST) {
  // Vitest ends its workers with SIGTERM. The server may have stopped, and its databases with it.
  process.once('SIGTERM', () => {
    const dropped = parked?.databaseUrl ? discard(parked).catch(() => {}) : undefined
    void Promise.resolve(dropped).then(() => process.exit())
  })
  process.once('exit', () => parked && rmSync(parked.dataDir, { recursive: true, force: true }))
}

const openNew = async (): Promise<Opened> => {
  const dataDir = await mkdtemp(join(await quickFolder(), 'bi-manager-test-'))
  const databaseUrl = process.env.TEST_DATABASE === 'postgres' ? await createDatabase() : undefined
  if (!databaseUrl) await copyEmbedded(join(dataDir, 'database'))
  const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
  return { db, dataDir, databaseUrl, asNew: await stateOf(db), reset: makeReset(db) }
}

/**
 * Empties the database; returns false when a test left other changes, or so many rows that their
 * space would slow the next file down.
 */
const isAsNew = async (db: Db, reset: TestDatabase['reset'], asNew: string): Promise<boolean> => {
  await reset()
  return (await stateOf(db)) === asNew
}

/** Tables, triggers, functions, planner statistics, settings, kept rows, and the size in 8 MB units. */
const stateOf = async (db: Db): Promise<string> => {
  const { rows } = await sql`select
    (select json_build_array(count(*), sum(reltuples)) from pg_class) as relations,
    (select json_agg(json_build_array(tgname, tgenabled) order by oid) from pg_trigger) as triggers,
    (select json_agg(json_build_array(oid, xmin) order by oid) from pg_proc where pronamespace = 'public'::regnamespace) as functions,
    (select count(*) from pg_attribute) as columns,
    (select count(*) from pg_constraint) as constraints,
    (select json_agg(t order by t::text) from pg_db_role_setting t) as defaults,
    (select json_agg(t order by t::text) from total_linhas t) as totals,
    (select json_agg(t order by t::text) from configuracao t) as settings,
    (select json_agg(t order by t::text) from aparencia t) as look,
    (select json_agg(t order by t::text) from regras_chaves t) as keys,
    (select json_agg(t order by t::text) from assinatura_regras t) as subscriptions,
    (select json_agg(t order by t::text) from convidado_regras t) as guests,
    (select json_agg(t order by t::text) from instalacao t) as installation,
    (select json_agg(t order by t::text) from responsavel t) as people,
    pg_database_size(current_database()) / 8388608 as size`.execute(db)
  return JSON.stringify(rows)
}

const emptyBut = async (folder: string, kept: string): Promise<void> => {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(kept)) await rm(join(folder, name), { recursive: true, force: true })
  }
}

/**
 * Uses memory when there is plenty: a test's database is temporary, and commits on disk wait.
 * Benchmarks stay on the disk, because they measure that.
 */
const quickFolder = async (): Promise<string> => {
  if (!process.env.VITEST) return tmpdir()
  const memory = '/dev/shm'
  const room = await statfs(memory).catch(() => undefined)
  return room && room.bavail * room.bsize > 2 ** 30 ? memory : tmpdir()
}

/** Tables with rows of the migrations, which stay. */
const kept = [
  'responsavel',
  'catalogo',
  'total_linhas',
  'configuracao',
  'comentario_versao',
  'aparencia',
  'regras_chaves',
  'assinatura_regras',
  'convidado_regras',
  'migracao',
  'instalacao',
]

/** Tables with references first, in an order that violates no foreign key. */
const first = [
  'prontuario_versao',
  'acesso_saude',
  'assinatura_arquivo',
  'prontuario',
  'anexo',
  'beneficiario_versao',
  'beneficiario',
  'relatorio',
  'grupo_relatorio',
  'capacidade',
  'powerbi',
  'usuario',
]

/**
 * Returns the reset. Deleting rows takes a tenth of the time of truncating all tables, which
 * creates new files for each, and most tables are empty.
 */
const makeReset = (db: Db): (() => Promise<void>) => {
  let schema: Promise<Schema> | undefined
  return async () => {
    schema ??= schemaOf(db)
    const { tables, sequences } = await schema
    const { filled, counted } = await contentsOf(db, tables, sequences)
    const changes = [
      ...tables.filter((_table, n) => filled[n]).map((table) => `delete from ${table}`),
      ...counted.map((sequence) => `select setval('${sequence}', 1, false)`),
    ]
    if (changes.length > 0) await sql.raw(changes.join(';\n')).execute(db)
    await sql`with ${sql.raw(originalRows)} select ${true}::boolean`.execute(db)
  }
}

/** Restores the rows of the migrations, and deletes the names of files, which a trigger writes. */
const originalRows = [
  `update configuracao set segundo_fator = 'opcional', segundo_fator_decidido = false, versao = 1,
      servico_local_registrado = false, comentarios = true
    where (segundo_fator, segundo_fator_decidido, versao, servico_local_registrado, comentarios)
      is distinct from ('opcional', false, 1, false, true)`,
  `update aparencia set nome = null, cor = null, logo = null, logo_marca = null, versao = 1
    where versao <> 1`,
  'update regras_chaves set pessoas = false, mcp = false, versao = 1 where pessoas or mcp or versao <> 1',
  `update assinatura_regras set dominios = '{}', anexos_restritos = false, anexo_mb = 10, versao = 1
    where versao <> 1`,
  `update convidado_regras set ligado = false, dias_maximos = 30, dominios = '{}', redes = '{}', versao = 1
    where (ligado, dias_maximos, dominios, redes, versao) is distinct from (false, 30, '{}', '{}', 1)`,
  'delete from arquivo_pendente',
  'delete from responsavel where id_responsavel <> 1',
  'update instalacao set ensaio = null where ensaio is not null',
]
  .map((statement, n) => `original_${n} as (${statement})`)
  .join(',\n')

interface Schema {
  /** All but the kept ones, in an order that violates no foreign key. */
  tables: string[]
  /** Those of their row ids, which restart. */
  sequences: string[]
}

const schemaOf = async (db: Db): Promise<Schema> => {
  const { rows } = await sql<{ table: string; sequence: string | null }>`
    select t.tablename as table,
      (select pg_get_serial_sequence(quote_ident(t.tablename), a.attname) from pg_attribute a
        where a.attrelid = quote_ident(t.tablename)::regclass and a.attidentity <> '') as sequence
    from pg_tables t
    where t.schemaname = current_schema() and t.tablename not like 'kysely%'`.execute(db)
  const emptied = rows.filter(({ table }) => !kept.includes(table))
  return {
    tables: emptied.map(({ table }) => table).sort((a, b) => turnOf(a) - turnOf(b)),
    sequences: emptied.flatMap(({ sequence }) => sequence ?? []),
  }
}

/**
 * Returns which of the tables have rows, and which sequences were used. It runs before each test,
 * and planning takes twenty times as long as running: the text is short and has a parameter,
 * because the drivers prepare only such statements (longest-kept.ts, embedded-statements.ts).
 */
const contentsOf = async (
  db: Db,
  tables: string[],
  sequences: string[],
): Promise<{ filled: boolean[]; counted: string[] }> => {
  const { rows } = await sql<{ filled: boolean[]; counted: string[] }>`select
    to_json(array[${sql.raw(tables.map((table) => `exists (select from ${table})`).join())}]) as filled,
    to_json(array(select name from unnest(string_to_array(${sequences.join()}, ',')) as name
      where pg_sequence_last_value(name::regclass) is not null)) as counted`.execute(db)
  return rows[0] ?? { filled: [], counted: [] }
}

const turnOf = (table: string): number => (first.includes(table) ? first.indexOf(table) : first.length)

const serverUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is missing: run the tests through npm test.')
  return url
}

const createDatabase = async (): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name} template ${await templateOnServer()}`)
  return urlOf(name)
}

let template: Promise<string> | undefined

/** Returns a migrated template database to copy: the migrations take as long as some test files. */
export const templateOnServer = (): Promise<string> => (template ??= makeTemplate())

const makeTemplate = async (): Promise<string> => {
  const name = `modelo_${await schemaDigest()}`
  const found = await onServer(`select from pg_database where datname = '${name}'`)
  if (found > 0) return name
  const building = `${name}_${randomUUID().slice(0, 8)}`
  await onServer(`create database ${building}`)
  const db = await openDatabase({ dataDir: '', databaseUrl: urlOf(building), onError: console.error })
  await migrate(db)
  await db.destroy()
  // Of two workers that build it concurrently one wins; the other drops its own.
  await onServer(`alter database ${building} rename to ${name}`).catch(() => dropDatabase(urlOf(building)))
  return name
}

/** Returns a superuser's URL of a database on the test server. */
export const urlOf = (name: string): string => {
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = async (url: string): Promise<void> => {
  await onServer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)
}

/**
 * Runs a statement as a superuser.
 * @returns the number of rows
 */
export const onServer = async (statement: string, connectionString = serverUrl()): Promise<number> => {
  const client = new pg.Client({ connectionString })
  await client.connect()
  try {
    return (await client.query(statement)).rowCount ?? 0
  } finally {
    await client.end()
  }
}
