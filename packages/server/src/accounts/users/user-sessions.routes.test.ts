import { beforeEach, expect, test } from 'vitest'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'

/* How an edit of a user affects sessions, and what it requires of the caller's. */

let admin: Awaited<ReturnType<TestApp['as']>>
const app = useTestApp()
beforeEach(async () => {
  admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
})

test("a change of the responsible ends the user's sessions, which still carry the former one", async () => {
  const { idResponsavel } = await app.db
    .insertInto('responsavel')
    .values({ nomeResponsavel: 'Outra casa' })
    .returning('idResponsavel')
    .executeTakeFirstOrThrow()
  const person = await createUser(app)
  const own = await app.as(person)
  expect((await admin.put(`/usuarios/${person.idUsuario}`, { idResponsavel })).status).toBe(200)
  expect((await own.get('/usuarios/sessao')).status).toBe(401)
})

test("the portal refuses an ADMIN's own password change more than ten minutes after the sign-in", async () => {
  const me = await createUser(app, { tipoUsuario: 'ADMIN' })
  const own = await app.as(me)
  const url = `/usuarios/${me.idUsuario}`
  app.clock.offsetMs = 11 * 60_000
  const { status, body } = await own.put(url, { senhaUsuario: 'Uma senha nova 9' })
  expect([status, body.codigo]).toEqual([403, 'reautenticacao_necessaria'])
  expect((await own.put(url, { nomeUsuario: 'Outro nome' })).status).toBe(200)
  app.clock.offsetMs = 0
  expect((await own.put(url, { senhaUsuario: 'Uma senha nova 9' })).status).toBe(200)
})
