import {
  type AuditEntry,
  auditReferences,
  type Entity,
  entities,
  NAMES_AN_ENTRY,
  pageTitles,
} from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'

/** `relatorio:12` → its name. */
export type Names = AuditEntry['nomes']

type Row = Pick<AuditEntry, 'objeto' | 'idUsuario' | 'nomeUsuario' | 'detalhes'>

/** Tables with names. A deletion's audit details use the same field as the column. */
const sources = new Map(
  entities.flatMap(({ kind, table, id, name }: Entity) =>
    name ? [[kind, { table, id, name }] as const] : [],
  ),
)

/** Returns the references of a row: its object, its user if deleted, and the ids in its details. */
export const referencesOf = ({ objeto, idUsuario, nomeUsuario, detalhes }: Row): string[] => {
  const found = new Set<string>()
  const add = (key: unknown) => {
    if (typeof key === 'string' && found.size < NAMES_AN_ENTRY) found.add(key)
  }
  const walk = (fields: object) => {
    for (const [field, value] of Object.entries(fields)) {
      const kind = Object.hasOwn(auditReferences, field) ? auditReferences[field] : undefined
      if (kind) for (const id of [value].flat()) add(typeof id === 'number' ? `${kind}:${id}` : undefined)
      // The export of the trail records the object that it was filtered by.
      else if (field === 'objeto') add(value)
      else if (typeof value === 'object' && value !== null) walk(value)
    }
  }
  add(objeto)
  if (idUsuario !== null && nomeUsuario === null) add(`usuario:${idUsuario}`)
  walk(detalhes)
  return [...found]
}

/**
 * Returns names for all references in three queries: the current name, or the one at the deletion.
 * References without a name are left out.
 */
export const findNames = async (db: Db, references: string[]): Promise<Names> => {
  const names: Names = {}
  const wanted = new Map<string, Set<number>>()
  for (const reference of references) {
    const [, kind = '', id = ''] = /^([a-z]+):([\w-]+)$/.exec(reference) ?? []
    if (kind === 'pagina' && Object.hasOwn(pageTitles, id)) {
      names[reference] = { nome: pageTitles[id as keyof typeof pageTitles], existe: true }
    }
    if (!sources.has(kind) || !/^[1-9]\d{0,9}$/.test(id) || Number(id) > 2_147_483_647) continue
    names[reference] = { nome: null, existe: false }
    wanted.set(kind, (wanted.get(kind) ?? new Set()).add(Number(id)))
  }
  for (const { key, nome } of await listPresent(db, wanted)) names[key] = { nome, existe: true }
  for (const { key, nome } of await listExternal(db, references)) names[key] = { nome, existe: true }
  const gone = Object.keys(names).filter((key) => !names[key]?.existe)
  for (const { objeto, antes } of await listDeletions(db, gone)) {
    const [kind = ''] = objeto.split(':')
    const nome = antes?.[sources.get(kind)?.name ?? '']
    if (typeof nome === 'string') names[objeto] = { nome, existe: false }
  }
  return names
}

/** Returns the names that one row references. */
export const namesOf = (names: Names, references: string[]): Names =>
  Object.fromEntries(
    references.flatMap((reference) => {
      const name = Object.hasOwn(names, reference) ? names[reference] : undefined
      return name ? [[reference, name]] : []
    }),
  )

const listPresent = async (db: Db, wanted: Map<string, Set<number>>) => {
  if (wanted.size === 0) return []
  const parts = [...wanted].flatMap(([kind, ids]) => {
    const source = sources.get(kind)
    if (!source) return []
    const { table, id, name } = source
    return sql`select ${kind}::text || ':' || ${sql.ref(id)} as key, ${sql.ref(name)} as nome
      from ${sql.table(table)} where ${sql.ref(id)} = any(${[...ids]}::int[])`
  })
  const { rows } = await sql<{ key: string; nome: string }>`${sql.join(parts, sql` union all `)}`.execute(db)
  return rows
}

const isExternal = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}\/[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i

/** Reports requested by their external ids (`grupo/report`), for refused requests. */
const listExternal = async (db: Db, references: string[]) => {
  const keys = references.filter((reference) => isExternal.test(reference))
  if (keys.length === 0) return []
  const { rows } = await sql<{ key: string; nome: string }>`
    select distinct on (key) key, nome_relatorio as nome from unnest(${keys}::text[]) as key
    join grupo_relatorio g on lower(g.id_grupo) = lower(split_part(key, '/', 1))
    join relatorio r on r.id_grupo_relatorio = g.id_grupo_relatorio
      and lower(r.report_id) = lower(split_part(key, '/', 2))
    order by key, r.id_relatorio`.execute(db)
  return rows
}

/**
 * Ids are never reused, so each object has at most one deletion. Uses the index
 * auditoria_exclusoes.
 */
const listDeletions = async (db: Db, objects: string[]) => {
  if (objects.length === 0) return []
  const { rows } = await sql<{ objeto: string; antes: Record<string, unknown> | null }>`
    select objeto, detalhes -> 'antes' as antes from auditoria
    where objeto = any(${objects}::text[]) and (acao like '%.deleted' or acao = 'account.refused')`.execute(
    db,
  )
  return rows
}
