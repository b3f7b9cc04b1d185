import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase, type TestDatabase } from '../../../test/database/test-database.ts'
import { openDatabase } from '../db/open-database.ts'
import { runExclusively } from './run-exclusively.ts'

let database: TestDatabase
beforeAll(async () => {
  database = await openTestDatabase()
})
afterAll(() => database.close())

test('runExclusively rolls the whole transaction back when the work fails', async () => {
  const { db } = database
  const work = runExclusively(db, 'teste', async (tx) => {
    await tx.insertInto('responsavel').values({ nomeResponsavel: 'Pela metade' }).execute()
    throw new Error('The work failed.')
  })
  await expect(work).rejects.toThrow('The work failed.')
  const names = (await db.selectFrom('responsavel').select('nomeResponsavel').execute()).map(
    ({ nomeResponsavel }) => nomeResponsavel,
  )
  expect(names).not.toContain('Pela metade')
  expect(await runExclusively(db, 'teste', async () => {})).toBe(true)
})

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'runExclusively skips the work while another process runs it, and runs other work',
  async () => {
    const another = await openDatabase({ ...database, onError: console.error })
    let finish = () => {}
    const isRunning = Promise.withResolvers<void>()
    const first = runExclusively(database.db, 'limpeza', async () => {
      isRunning.resolve()
      await new Promise<void>((resolve) => {
        finish = resolve
      })
    })
    await isRunning.promise
    const runs: string[] = []
    const run = (name: string) => runExclusively(another, name, async () => void runs.push(name))
    expect(await run('limpeza')).toBe(false)
    expect(await run('outra')).toBe(true)
    finish()
    expect(await first).toBe(true)
    expect(await run('limpeza')).toBe(true)
    expect(runs).toEqual(['outra', 'limpeza'])
    await another.destroy()
  },
)
