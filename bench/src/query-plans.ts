import type { Db } from '@bi-manager/server/platform/db/open-database'
import { CompiledQuery } from 'kysely'

/** Runs each function with a database that records its queries, and prints their EXPLAIN plans. */
export const printPlans = async (
  db: Db,
  functions: Record<string, (db: Db) => Promise<unknown>>,
): Promise<void> => {
  console.log('\nPlans on the large database:')
  for (const [name, run] of Object.entries(functions)) {
    for (const plan of await queryPlans(db, run)) console.log(`\n-- ${name}\n${plan}`)
  }
}

const queryPlans = async (db: Db, run: (db: Db) => Promise<unknown>): Promise<string[]> => {
  const seen: CompiledQuery[] = []
  await run(
    db.withPlugin({
      transformQuery: ({ node, queryId }) => {
        seen.push(db.getExecutor().compileQuery(node, queryId))
        return node
      },
      // A plug-in must have it; results stay as they are.
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
