import { type DependantGroup, type Entity, entityOf, NAMED_DEPENDANTS } from '@bi-manager/contract'
import { sql } from 'kysely'
import { Problem } from '../../lib/problem.ts'
import type { Db } from '../open-database.ts'

/** Returns the records that refer to this one and so prevent its deletion, by kind. */
export const findDependants = async (
  db: Db,
  { dependants = [] }: Pick<Entity, 'dependants'>,
  id: number,
): Promise<DependantGroup[]> => {
  const groups = await Promise.all(
    dependants.map(async ({ kind, column }) => {
      const { table, id: key, name } = described(kind)
      const { rows } = await sql<Omit<DependantGroup, 'tipo'>>`
        select count(*)::int as total, coalesce((
          select json_agg(json_build_object('id', id, 'nome', nome))
          from (
            select ${sql.ref(key)} as id, ${sql.ref(name)} as nome from ${sql.table(table)}
            where ${sql.ref(column)} = ${id} order by nome_natural, ${sql.ref(key)} limit ${NAMED_DEPENDANTS}
          ) primeiros
        ), '[]') as registros
        from ${sql.table(table)} where ${sql.ref(column)} = ${id}`.execute(db)
      const [group] = rows
      return group && group.total > 0 ? [{ tipo: kind, ...group }] : []
    }),
  )
  return groups.flat()
}

/** @throws Problem 409 that says which records prevent the deletion, and how many */
export const assertNoDependants = async (tx: Db, entity: Entity, id: number): Promise<void> => {
  const [first] = await findDependants(tx, entity, id)
  if (!first) return
  const words = entity.dependants?.find(({ kind }) => kind === first.tipo)
  const [one = '', many = ''] = words?.names ?? []
  const detail =
    first.total === 1
      ? `Este ${entity.title} tem 1 ${one}. Exclua-${words?.pronoun} primeiro.`
      : `Este ${entity.title} tem ${first.total} ${many}. Exclua-${words?.pronoun}s primeiro.`
  throw new Problem('registro_em_uso', { detail })
}

const described = (kind: string) => {
  const entity = entityOf(kind)
  if (!entity?.name) throw new Error(`${kind} has no description with a name.`)
  return { ...entity, name: entity.name }
}
