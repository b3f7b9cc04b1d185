import { expect, test } from 'vitest'
import { countWaitingForLocks } from '../../../test/database/waiting-for-locks.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { inTransaction } from '../db/transactions/in-transaction.ts'

/* Only PostgreSQL has concurrent transactions; revocation-matrix.test.ts has generated cases. */

const app = useTestApp({}, { resets: false })

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'the caller transaction refuses a write that started before the commit that blocks its caller',
  async () => {
    const user = await createUser(app, { tipoUsuario: 'ADMIN' })
    const { post } = await app.as(user)
    const { promise: mayCommit, resolve: commit } = Promise.withResolvers<void>()
    const { promise: isLocked, resolve: locked } = Promise.withResolvers<void>()
    const blocking = inTransaction(app.db, async (tx) => {
      const row = { idUsuario: user.idUsuario }
      await tx
        .selectFrom('usuario')
        .select('idUsuario')
        .where('idUsuario', '=', row.idUsuario)
        .forUpdate()
        .execute()
      await tx
        .updateTable('usuario')
        .set({ situacao: 'BLOQUEADO' })
        .where('idUsuario', '=', row.idUsuario)
        .execute()
      locked()
      await mayCommit
    })
    await isLocked
    const answered = post('/responsavel', { nomeResponsavel: 'Escrito tarde demais' })
    await expect.poll(() => countWaitingForLocks(app.db), { timeout: 10_000 }).toBe(1)
    commit()
    await blocking
    expect((await answered).status).toBe(401)
    const written = app.db
      .selectFrom('responsavel')
      .select('idResponsavel')
      .where('nomeResponsavel', '=', 'Escrito tarde demais')
    expect(await written.execute()).toEqual([])
  },
)

test('the caller transaction runs twenty exclusive changes of one user concurrently without a deadlock', async () => {
  const { put } = await app.as(await createUser(app))
  const names = Array.from({ length: 20 }, (_, index) => `Pessoa de nome próprio ${index}`)
  const answers = await Promise.all(names.map((nomeUsuario) => put('/conta', { nomeUsuario })))
  expect(answers.map(({ status }) => status)).toEqual(names.map(() => 200))
})
