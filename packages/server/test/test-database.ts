import { execFile } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { sql } from 'kysely'
import pg from 'pg'
import pglitePackage from '../../../node_modules/@electric-sql/pglite/package.json' with { type: 'json' }
import { migrate } from '../src/db/migrate.ts'
import { type Db, openDatabase } from '../src/db/open-database.ts'

export interface TestDatabase {
  db: Db
  /** What `openDatabase` needs to open it again. */
  dataDir: string
  databaseUrl: string | undefined
  /** Empties every table but for what the migrations themselves put in. */
  reset: () => Promise<void>
  close: () => Promise<void>
}

/** A database of one's own, migrated: on PostgreSQL or embedded, as TEST_DATABASE says. */
export const openTestDatabase = async (): Promise<TestDatabase> => {
  const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-test-'))
  const databaseUrl = process.env.TEST_DATABASE === 'postgres' ? await createDatabase() : undefined
  if (!databaseUrl) await copyTemplate(join(dataDir, 'database'))
  const db = await openDatabase({ dataDir, databaseUrl, onError: console.error })
  await migrate(db)
  return {
    db,
    dataDir,
    databaseUrl,
    reset: () => reset(db),
    close: async () => {
      await db.destroy()
      await rm(dataDir, { recursive: true, force: true })
      if (databaseUrl) await dropDatabase(databaseUrl)
    },
  }
}

/**
 * Deleting row by row takes a tenth of the time of truncating so many tables, which makes new files for each. Those that
 * others refer to come first, in an order in which nothing is in the way; the numbering of ids starts anew.
 */
const reset = async (db: Db): Promise<void> => {
  await sql`do $$
    declare
      tabela text;
      sequencia text;
    begin
      for tabela in
        select tablename from pg_tables
        where schemaname = current_schema() and tablename not like 'kysely\_%'
          and tablename not in ('responsavel', 'catalogo', 'total_linhas', 'configuracao')
        order by array_position(
          array['prontuario_versao', 'acesso_saude', 'prontuario', 'anexo', 'beneficiario_versao',
            'beneficiario', 'relatorio', 'grupo_relatorio', 'powerbi', 'usuario']::name[], tablename) nulls last
      loop
        execute format('delete from %I', tabela);
        for sequencia in
          select pg_get_serial_sequence(quote_ident(tabela), attname) from pg_attribute
          where attrelid = quote_ident(tabela)::regclass and attidentity <> ''
        loop
          perform setval(sequencia, 1, false);
        end loop;
      end loop;
    end $$`.execute(db)
  await db.updateTable('configuracao').set({ segundoFator: 'opcional', versao: 1 }).execute()
  await db.deleteFrom('responsavel').where('idResponsavel', '<>', 1).execute()
}

const serverUrl = (): string => {
  const url = process.env.TEST_DATABASE_URL
  if (!url) throw new Error('TEST_DATABASE_URL is missing: run the tests through npm test.')
  return url
}

const createDatabase = async (): Promise<string> => {
  const name = `test_${randomUUID().replaceAll('-', '')}`
  await onServer(`create database ${name}`)
  const url = new URL(serverUrl())
  url.pathname = `/${name}`
  return url.href
}

const dropDatabase = (url: string): Promise<void> =>
  onServer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`)

const onServer = async (statement: string): Promise<void> => {
  const client = new pg.Client({ connectionString: serverUrl() })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/**
 * A migrated embedded database, made once by the product's own opener and copied: initdb and the migrations take seconds, a
 * copy does not. Another version of PGlite, or other migrations, make another.
 */
const copyTemplate = async (directory: string): Promise<void> => {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/bi-manager/', import.meta.url))
  const template = join(cache, `pglite-${pglitePackage.version}-${await digestOf(migrations)}`)
  if (!existsSync(template)) {
    await mkdir(cache, { recursive: true })
    const building = await mkdtemp(join(cache, 'building-'))
    const db = await openDatabase({ dataDir: building, databaseUrl: undefined, onError: console.error })
    await migrate(db)
    await db.destroy()
    // Of two workers that get here at once one wins; the other's copy is as good.
    await rename(join(building, 'database'), template).catch(() => {})
    await rm(building, { recursive: true, force: true })
  }
  // Of so many small files, Node's own copying takes ten times as long.
  await promisify(execFile)('cp', ['-r', template, directory])
}

const migrations = fileURLToPath(new URL('../migrations/', import.meta.url))

const digestOf = async (folder: string): Promise<string> => {
  const digest = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    digest.update(name).update(await readFile(join(folder, name)))
  }
  return digest.digest('hex').slice(0, 12)
}
