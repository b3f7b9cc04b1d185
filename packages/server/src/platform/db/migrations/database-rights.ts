import { sql } from 'kysely'
import { READ_ONLY, STANDBY, UnusableDatabase } from '../drivers/unusable-database.ts'
import type { Db } from '../open-database.ts'

/** Names are quoted where SQL needs it. */
interface Rights {
  role: string
  base: string
  /** Where new tables go; null when `search_path` names no schema that the role may use. */
  schema: string | null
  /** Where the role's tables of the portal are; null before the first migration. */
  tableSchema: string | null
  isStandby: boolean
  isReadOnly: boolean
  mayReadAndWrite: boolean
  mayCreate: boolean
  isOwner: boolean
  hasTrigrams: boolean
  maySeeTrigrams: boolean
  mayAddTrigrams: boolean
  areTrigramsAvailable: boolean
}

/** Reads what the role may do. One table stands for all: they have the same owner. */
export const readRights = async (db: Db): Promise<Rights> => {
  const { rows } = await sql<Rights>`
    select quote_ident(current_user) as role, quote_ident(current_database()) as base,
      quote_ident(current_schema()) as schema,
      (select quote_ident(nspname) from pg_class c join pg_namespace n on n.oid = relnamespace
        where relkind = 'r' and relname = 'relatorio_usuario'
          and (c.oid = to_regclass('relatorio_usuario') or relowner = (select oid from pg_roles where rolname = current_user))
        order by c.oid = to_regclass('relatorio_usuario') desc nulls last limit 1) as table_schema,
      pg_is_in_recovery() as is_standby,
      current_setting('transaction_read_only')::boolean as is_read_only,
      coalesce(${allowed('select')} and ${allowed('insert')} and ${allowed('update')} and ${allowed('delete')},
        true) as may_read_and_write,
      coalesce(has_schema_privilege(current_schema(), 'create'), false) as may_create,
      coalesce((select pg_has_role(relowner, 'usage') from pg_class
        where oid = to_regclass('relatorio_usuario')), true) as is_owner,
      exists (select from pg_extension where extname = 'pg_trgm') as has_trigrams,
      exists (select from pg_opclass where opcname = 'gin_trgm_ops' and pg_opclass_is_visible(oid)) as may_see_trigrams,
      has_database_privilege(current_database(), 'create') as may_add_trigrams,
      exists (select from pg_available_extensions where name = 'pg_trgm') as are_trigrams_available`.execute(
    db,
  )
  const [rights] = rows
  if (!rights) throw new Error('The database does not answer.')
  return rights
}

const allowed = (privilege: string) =>
  sql<boolean>`has_table_privilege(to_regclass('relatorio_usuario')::oid, ${privilege})`

/** @throws UnusableDatabase when it is read-only, or its tables cannot be used */
export const assertWritable = (rights: Rights): void => {
  const { role, base, schema, tableSchema, isStandby, isReadOnly, mayReadAndWrite } = rights
  if (isStandby) refuse(STANDBY)
  if (isReadOnly) refuse(READ_ONLY)
  if (schema === null) {
    refuse(
      `O papel ${role} não pode usar nenhum esquema do search_path: \`grant usage, create on schema public to ${role}\`; ou inclua public no search_path, com \`alter role ${role} in database ${base} set search_path = public\`.`,
    )
  }
  if (tableSchema !== null && tableSchema !== schema) {
    refuse(
      `As tabelas do portal estão no esquema ${tableSchema}, mas o search_path põe ${schema} antes: ponha ${tableSchema} em primeiro no search_path do papel ${role}.`,
    )
  }
  if (!mayReadAndWrite) {
    refuse(
      `O papel ${role} não pode ler e gravar nas tabelas do portal: passe-as a ele, com \`reassign owned by <dono atual> to ${role}\` neste banco.`,
    )
  }
}

/** @throws UnusableDatabase when the role cannot create or change tables */
export const assertMigratable = (rights: Rights): void => {
  const { role, base, schema, mayCreate, isOwner } = rights
  const { hasTrigrams, maySeeTrigrams, mayAddTrigrams, areTrigramsAvailable } = rights
  if (!mayCreate) {
    refuse(
      `O papel ${role} não pode criar tabelas no esquema ${schema}: \`grant create on schema ${schema} to ${role}\`, ou faça dele o dono do banco.`,
    )
  }
  if (!isOwner) {
    refuse(
      `O papel ${role} não é o dono das tabelas do portal, e não pode atualizá-las: \`reassign owned by <dono atual> to ${role}\` neste banco.`,
    )
  }
  if (hasTrigrams && !maySeeTrigrams) {
    refuse('A extensão pg_trgm está em um esquema fora do search_path do papel: inclua esse esquema nele.')
  }
  if (!hasTrigrams && !areTrigramsAvailable) {
    refuse(
      'O servidor do banco de dados não tem a extensão pg_trgm: instale as extensões do PostgreSQL (no Red Hat, o pacote postgresql-contrib).',
    )
  }
  if (!hasTrigrams && !mayAddTrigrams) {
    refuse(
      `O papel ${role} não pode criar a extensão pg_trgm: \`grant create on database ${base} to ${role}\`, ou crie-a antes como superusuário.`,
    )
  }
}

const refuse = (sentence: string): never => {
  throw new UnusableDatabase(sentence)
}
