import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest'
import { createOwnedDatabase } from '../test/database/owned-database.ts'
import { templateOnServer } from '../test/database/test-database.ts'
import { messagesOf, spawnServer } from '../test/processes/killed-server.ts'
import { runCommandProcess } from '../test/processes/run-command.ts'
import { reasonOf } from './operations/backup/contents/backup-failure.ts'
import { ConfigError, loadConfig } from './platform/config/config.ts'
import { locateDatabase, openConfigured } from './platform/db/configured-database.ts'
import { assertSupported } from './platform/db/drivers/session-settings.ts'
import { migrate } from './platform/db/migrations/migrate.ts'
import { openDatabase } from './platform/db/open-database.ts'

/* The kind: what is wrong with the database is found only by the first statement that fails, whose
   stack names neither the setting nor what to do; or it is never found. Only the portal, and only for
   some errors, had sentences: commands and backups opened the database without them. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

let dataDir: string
beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-refused-'))
})
afterEach(() => rm(dataDir, { recursive: true, force: true }))

interface Case {
  /** Options of `create database`. */
  options?: string
  /** Copies the migrated template, whose tables belong to the superuser. */
  isMigrated?: boolean
  /** Statements of a superuser in the database. */
  prepare?: (name: string) => string
  /** Added to DATABASE_URL. */
  search?: string
  /** Changes DATABASE_URL. */
  change?: (url: URL) => void
  /** The sentence, without the database's place. */
  sentence: (name: string) => string
}

const ownSchema = 'alter schema public owner to current_user; revoke all on schema public from public'
const READ_ONLY =
  'O banco de dados só aceita leitura (default_transaction_read_only = on): desligue isso no servidor, no banco, no papel ou em DATABASE_URL.'
const MOVE =
  'tire esses valores de DATABASE_URL, de PGOPTIONS, do pooler e do papel, e atrás de um PgBouncer dê RECONNECT ou o reinicie.'

const REFUSED = 'O servidor do banco de dados recusou o que o portal pediu'
const CHECK = 'confira DATABASE_URL e o que o servidor define para o banco e o papel.'
const literal = (name: string) => `'${unquoted(name)}'`

const cases: Record<string, Case> = {
  'another encoding': {
    options: "encoding 'LATIN1' locale 'C' template template0",
    sentence: () =>
      "O banco de dados usa a codificação LATIN1, e o portal precisa de UTF8: crie outro banco com `create database … encoding 'UTF8' template template0`.",
  },
  'the case rules of another language': {
    options: "locale_provider icu icu_locale 'tr-TR' locale 'C' encoding 'UTF8' template template0",
    sentence: () =>
      "O banco de dados usa regras de maiúsculas de outro idioma, em que I não é a maiúscula de i: crie outro banco com `create database … locale 'C' template template0`.",
  },
  'settings in DATABASE_URL': {
    search: '?options=-c%20DateStyle%3DSQL%2CDMY%20-c%20bytea_output%3Descape',
    sentence: () =>
      `O banco de dados responde com DateStyle = 'SQL, DMY' (deve ser 'ISO, MDY'), bytea_output = 'escape' (deve ser 'hex'): ${MOVE}`,
  },
  'limits of a millisecond in DATABASE_URL': {
    search: '?options=-c%20statement_timeout%3D1%20-c%20idle_in_transaction_session_timeout%3D1',
    sentence: () =>
      `O banco de dados responde com statement_timeout = '1ms' (deve ser ao menos '1000ms'), idle_in_transaction_session_timeout = '1ms' (deve ser ao menos '10000ms'): ${MOVE}`,
  },
  'a setting that only a superuser can change': {
    prepare: (name) => `alter role ${name} in database ${name} set session_replication_role = 'replica'`,
    sentence: () =>
      `O banco de dados responde com session_replication_role = 'replica' (deve ser 'origin'): ${MOVE}`,
  },
  'read-only transactions': {
    prepare: (name) => `alter database ${name} set default_transaction_read_only = on`,
    sentence: () => READ_ONLY,
  },
  'read-only transactions and settings that cannot be changed in them': {
    prepare: (name) =>
      `alter database ${name} set default_transaction_read_only = on; alter database ${name} set TimeZone = 'America/Sao_Paulo'`,
    sentence: () =>
      `${READ_ONLY} Depois disso, o portal define sozinho, ao iniciar: TimeZone = 'America/Sao_Paulo' (deve ser 'UTC').`,
  },
  'a wrong password': {
    change: (url) => {
      url.password = 'errada'
    },
    sentence: (name) => `O PostgreSQL recusou a senha do papel ${unquoted(name)}: corrija DATABASE_URL.`,
  },
  'a missing password': {
    change: (url) => {
      url.password = ''
    },
    sentence: () => 'Falta a senha em DATABASE_URL, ou ela está errada.',
  },
  'a role that must not sign in': {
    prepare: (name) => `alter role ${name} nologin`,
    sentence: (name) =>
      `O PostgreSQL não deixa o papel ${unquoted(name)} entrar (role ${name} is not permitted to log in): confira o nome e o pg_hba.conf.`,
  },
  'a database that does not exist': {
    change: (url) => {
      url.pathname = '/nenhum'
    },
    sentence: () => 'O banco nenhum não existe: crie-o, ou corrija DATABASE_URL.',
  },
  'a closed port': {
    change: (url) => {
      url.port = '1'
    },
    sentence: () =>
      'O servidor do banco de dados não respondeu (ECONNREFUSED): confira o endereço em DATABASE_URL e se o PostgreSQL está no ar.',
  },
  'an unknown host': {
    change: (url) => {
      url.hostname = 'banco.invalid'
    },
    sentence: () =>
      'O nome do servidor do banco de dados não foi encontrado (ENOTFOUND): corrija DATABASE_URL, ou confira o DNS.',
  },
  'a server without TLS': {
    search: '?sslmode=verify-full',
    sentence: () =>
      'O banco de dados recusou a conexão com TLS (The server does not support SSL connections).',
  },
  'no right to connect': {
    prepare: (name) =>
      `alter database ${name} owner to current_user; revoke connect on database ${name} from public`,
    sentence: () =>
      'O papel do banco de dados não pode se conectar a ele: `grant connect on database <banco> to <papel>`.',
  },
  // The server ends each connection before the first statement.
  'a library that the server does not have': {
    prepare: (name) => `alter database ${name} set session_preload_libraries = 'nenhuma'`,
    sentence: () =>
      `${REFUSED} (58P01: could not access file "nenhuma": No such file or directory): ${CHECK}`,
  },
  'a database that accepts no connections': {
    prepare: (name) => `update pg_database set datallowconn = false where datname = ${literal(name)}`,
    sentence: (name) =>
      `${REFUSED} (55000: database ${name} is not currently accepting connections): ${CHECK}`,
  },
  'a parameter that the server does not know': {
    search: '?options=-c%20nenhum%3D1',
    sentence: () => `${REFUSED} (42704: unrecognized configuration parameter "nenhum"): ${CHECK}`,
  },
  'a parameter that the role may not set': {
    search: '?options=-c%20session_replication_role%3Dreplica',
    sentence: () =>
      `${REFUSED} (42501: permission denied to set parameter "session_replication_role"): ${CHECK}`,
  },
  'a language that the role may not use': {
    prepare: () => 'revoke usage on language plpgsql from public',
    sentence: () => `${REFUSED} (42501: permission denied for language plpgsql): ${CHECK}`,
  },
  'an event trigger that forbids new tables': {
    prepare: () => `create function proibir() returns event_trigger language plpgsql
      as $$ begin raise exception 'DDL proibido' using errcode = 'ABC01'; end $$;
      create event trigger proibir on ddl_command_start execute function proibir()`,
    sentence: () =>
      'As tabelas que contam as migrações não puderam ser criadas, e nada mudou no banco de dados (DDL proibido). Corrija a causa e tente de novo.',
  },
  'a table space that the role may not use': {
    prepare: (name) => `alter database ${name} set default_tablespace = 'pg_global'`,
    sentence: () =>
      'As tabelas que contam as migrações não puderam ser criadas, e nada mudou no banco de dados (permission denied for tablespace pg_global). Corrija a causa e tente de novo.',
  },
  'the list of migrations of another role': {
    isMigrated: true,
    prepare: (name) =>
      `grant all on all tables in schema public to ${name}; revoke all on kysely_migration from ${name}`,
    sentence: () => `${REFUSED} (42501: permission denied for table kysely_migration): ${CHECK}`,
  },
  'no schema': {
    prepare: () => ownSchema,
    sentence: (name) =>
      `O papel ${name} não pode usar nenhum esquema do search_path: \`grant usage, create on schema public to ${name}\`; ou inclua public no search_path, com \`alter role ${name} in database ${name} set search_path = public\`.`,
  },
  'a search_path that names no existing schema': {
    prepare: (name) => `alter database ${name} set search_path = nenhum`,
    sentence: (name) =>
      `O papel ${name} não pode usar nenhum esquema do search_path: \`grant usage, create on schema public to ${name}\`; ou inclua public no search_path, com \`alter role ${name} in database ${name} set search_path = public\`.`,
  },
  'no right to create tables': {
    prepare: (name) => `${ownSchema}; grant usage on schema public to ${name}`,
    sentence: (name) =>
      `O papel ${name} não pode criar tabelas no esquema public: \`grant create on schema public to ${name}\`, ou faça dele o dono do banco.`,
  },
  'no right to create an extension': {
    prepare: (name) =>
      `alter database ${name} owner to current_user; grant usage, create on schema public to ${name}`,
    sentence: (name) =>
      `O papel ${name} não pode criar a extensão pg_trgm: \`grant create on database ${name} to ${name}\`, ou crie-a antes como superusuário.`,
  },
  'the extension in a schema that is not searched': {
    prepare: (name) =>
      `create schema extensoes authorization ${name}; create extension pg_trgm schema extensoes`,
    sentence: () =>
      'A extensão pg_trgm está em um esquema fora do search_path do papel: inclua esse esquema nele.',
  },
  'tables that belong to another role': {
    isMigrated: true,
    sentence: (name) =>
      `O papel ${name} não pode ler e gravar nas tabelas do portal: passe-as a ele, com \`reassign owned by <dono atual> to ${name}\` neste banco.`,
  },
  'migrations for tables that belong to another role': {
    isMigrated: true,
    prepare: (name) =>
      `grant all on all tables in schema public to ${name}; delete from kysely_migration where name = (select max(name) from kysely_migration)`,
    sentence: (name) =>
      `O papel ${name} não é o dono das tabelas do portal, e não pode atualizá-las: \`reassign owned by <dono atual> to ${name}\` neste banco.`,
  },
  // An empty installation would be created next to the existing one.
  'a search_path without the existing tables': {
    isMigrated: true,
    prepare: (name) =>
      `alter table relatorio_usuario owner to ${name}; create schema outro authorization ${name}; alter database ${name} set search_path = outro`,
    sentence: (name) =>
      `As tabelas do portal estão no esquema public, mas o search_path põe outro antes: ponha public em primeiro no search_path do papel ${name}.`,
  },
  // Backups read the tables of the first schema only.
  'a search_path with another schema before the tables': {
    isMigrated: true,
    prepare: (name) =>
      `grant all on all tables in schema public to ${name}; create schema outro authorization ${name}; alter database ${name} set search_path = outro, public`,
    sentence: (name) =>
      `As tabelas do portal estão no esquema public, mas o search_path põe outro antes: ponha public em primeiro no search_path do papel ${name}.`,
  },
}

const unquoted = (name: string) => name.replaceAll('"', '')

const createDatabase = async ({ options, isMigrated, prepare, search = '', change }: Case) => {
  const template = isMigrated ? `template ${await templateOnServer()}` : ''
  const database = await createOwnedDatabase(options ?? template)
  onTestFinished(database.drop)
  if (prepare) await database.asSuperuser(prepare(database.name))
  const url = new URL(database.url + search)
  change?.(url)
  return { ...database, url: url.href, place: `(DATABASE_URL: ${url.host}${url.pathname})` }
}

/** Opens and migrates as the start does; returns the sentence with which it ends. */
const refusalOf = async (DATABASE_URL: string): Promise<unknown> => {
  const config = loadConfig({ DATABASE_URL, DATA_DIR: dataDir })
  const open = () => openConfigured(config, { log: { error: () => {} }, onLost: () => {} })
  const start = open().then((db) =>
    migrate(db, { allowNewer: true })
      .catch(locateDatabase(config))
      .finally(() => db.destroy()),
  )
  return start.catch((error: unknown) => (error instanceof ConfigError ? error.message : error))
}

describe.runIf(isPostgres)('a database that cannot be used stops the start with one sentence', () => {
  test.each(Object.entries(cases))(
    'a database that cannot be used stops the start with one sentence: %s',
    async (_, wrong) => {
      const database = await createDatabase(wrong)
      expect(await refusalOf(database.url)).toBe(`${wrong.sentence(database.name)} ${database.place}`)
    },
  )

  // While connecting, while opening, and while migrating.
  test.each([
    'a missing password',
    'a database that does not exist',
    'no right to connect',
    'another encoding',
    'no right to create tables',
  ])('an operator sees it, and exit code 78: %s', { timeout: 60_000 }, async (name) => {
    const wrong = cases[name] as Case
    const database = await createDatabase(wrong)
    const { child, output } = await spawnServer(dataDir, { DATABASE_URL: database.url })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect([await once(child, 'exit'), messagesOf(output())]).toEqual([
      [78, null],
      [`${wrong.sentence(database.name)} ${database.place}`],
    ])
  })

  test('an operator sees it when a statement after the migrations is refused', {
    timeout: 60_000,
  }, async () => {
    const database = await createDatabase({
      isMigrated: true,
      prepare: (name) =>
        `grant all on all tables in schema public to ${name}; revoke all on usuario from ${name}`,
      sentence: () => '',
    })
    const { child, output } = await spawnServer(dataDir, { DATABASE_URL: database.url })
    onTestFinished(() => void child.kill('SIGKILL'))
    expect([await once(child, 'exit'), messagesOf(output())]).toEqual([
      [78, null],
      [`${REFUSED} (42501: permission denied for table usuario): ${CHECK} ${database.place}`],
    ])
  })

  test('default_transaction_read_only stays as it is', async () => {
    const { plain, url, asSuperuser } = await createDatabase(cases['read-only transactions'] as Case)
    expect(await refusalOf(url)).toContain(READ_ONLY)
    const kept = `select from pg_db_role_setting join pg_database on setdatabase = pg_database.oid
      where datname = '${plain}' and setconfig = array['default_transaction_read_only=on']`
    expect(await asSuperuser(kept)).toBe(1)
  })

  // Each command opens the database through the same function.
  test.each([
    ['audit-verify', [], 'settings in DATABASE_URL'],
    ['backup', ['copia'], 'read-only transactions'],
    ['restore', ['--release'], 'tables that belong to another role'],
    ['audit-verify', [], 'a wrong password'],
    ['backup', ['copia'], 'a closed port'],
    ['restore', ['--release'], 'an unknown host'],
    ['secrets-rotate', [], 'a database that does not exist'],
    ['restore', ['--release'], 'a library that the server does not have'],
    ['secrets-rotate', [], 'the list of migrations of another role'],
  ])(
    'the command %s %j ends with the same sentence: %s',
    { timeout: 60_000 },
    async (command, args, name) => {
      const wrong = cases[name] as Case
      const database = await createDatabase(wrong)
      const settings = {
        DATABASE_URL: database.url,
        DATA_DIR: dataDir,
        APP_SECRET: 'segredo-de-teste-com-mais-de-32-letras',
      }
      const paths = args.map((arg) => (arg.startsWith('-') ? arg : join(dataDir, arg)))
      expect(await runCommandProcess(command, paths, settings)).toEqual({
        code: 1,
        output: `${wrong.sentence(database.name)} ${database.place}\n`,
      })
    },
  )
})

// The process that makes scheduled backups opens the database itself.
test.runIf(isPostgres)('a backup that cannot connect fails with the same sentence', async () => {
  const wrong = cases['a wrong password'] as Case
  const { name, url } = await createDatabase(wrong)
  const open = openDatabase({ dataDir, databaseUrl: url, onError: () => {} })
  expect(await open.catch(reasonOf)).toBe(wrong.sentence(name))
})

test('a command names the setting when the embedded database cannot be opened', {
  timeout: 60_000,
}, async () => {
  const file = join(dataDir, 'arquivo')
  await writeFile(file, '')
  const settings = { DATA_DIR: file, APP_SECRET: 'segredo-de-teste-com-mais-de-32-letras' }
  expect(await runCommandProcess('restore', ['--release'], settings)).toEqual({
    code: 1,
    output: expect.stringMatching(/^Configuração inválida: DATA_DIR não pode ser usado \(E.+\)\.\n$/),
  })
})

test('a PostgreSQL older than 15 is refused with its version', () => {
  const settings = { server_encoding: 'UTF8', lower: 'i' }
  const supported = { ...settings, server_version: '15.0', server_version_num: '150000' }
  expect(() => assertSupported(supported)).not.toThrow()
  const old = { ...settings, server_version: '14.19 (Debian 14.19-1)', server_version_num: '140019' }
  expect(() => assertSupported(old)).toThrow(
    'O servidor do banco de dados é o PostgreSQL 14.19, e o portal precisa do 15 ou mais novo: atualize o servidor.',
  )
})
