import { dependantsApi, type Entity, entities } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { findDependants } from '../../platform/db/queries/dependants.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'

/** What prevents the deletion of a record, for each kind that others can refer to. */
export const dependantsRoutes = async (app: FastifyInstance, { db }: Services) => {
  const calls: Partial<Record<string, (typeof dependantsApi)['powerbi']>> = dependantsApi
  for (const entity of entities as readonly Entity[]) {
    const call = calls[entity.kind]
    if (!call) continue
    serve(app, call, async ({ params: { id } }) => {
      const { rows } = await sql`
        select 1 from ${sql.table(entity.table)} where ${sql.ref(entity.id)} = ${id}`.execute(db)
      if (rows.length === 0) throw new Problem('nao_encontrado')
      return findDependants(db, entity, id)
    })
  }
}
