import type { KyselyPlugin } from 'kysely'
import type { OpenDatabase } from '../../src/platform/db/open-database.ts'

/**
 * Returns a view of the database as a process sees it that dies before its n-th statement: from then
 * on, each statement fails, and an open transaction is rolled back.
 */
export const mortalDatabase = (db: OpenDatabase, dieAt = Number.POSITIVE_INFINITY) => {
  const life = { statements: 0, isDead: false }
  const plugin: KyselyPlugin = {
    transformQuery: ({ node }) => {
      life.statements += 1
      life.isDead ||= life.statements >= dieAt
      if (life.isDead) throw new Error('The process was killed.')
      return node
    },
    transformResult: async ({ result }) => result,
  }
  return { db: db.withPlugin(plugin) as OpenDatabase, life }
}
