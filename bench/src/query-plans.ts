import type { Db } from '@bi-manager/server/db/open-database'
import { CompiledQuery } from 'kysely'

/** Prints the plans for all queries of each work. */
export const printPlans = async (
  db: Db,
  works: Record<string, (db: Db) => Promise<unknown>>,
): Promise<void> => {
  console.log('\nPlans on the large database:')
  for (const [name, work] of Object.entries(works)) {
    for (const plan of await queryPlans(db, work)) console.log(`\n-- ${name}\n${plan}`)
  }
}

const queryPlans = async (db: Db, work: (db: Db) => Promise<unknown>): Promise<string[]> => {
  const seen: CompiledQuery[] = []
  await work(
    db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        seen.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      transformResult: async ({ result }) => result,
    }),
  )
  return Promise.all(
    seen.map(async ({ sql, parameters }) => {
      const { rows } = await db.executeQuery<Record<string, string>>(
        CompiledQuery.raw(`explain (costs off) ${sql}`, [...parameters]),
      )
      return rows.map((row) => Object.values(row)[0] ?? '').join('\n')
    }),
  )
}
