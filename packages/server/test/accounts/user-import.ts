import { expect } from 'vitest'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

/** A row of the file that an administrator imports. */
export const importRow = (linha: number, fields = {}) => ({
  linha,
  nomeUsuario: `Pessoa da linha ${linha}`,
  emailUsuario: `linha${linha}@exemplo.com.br`,
  senhaUsuario: `Senha da linha ${linha}`,
  ...fields,
})

/** Imports many users at once, each with a password to hash, while another call reads a list. */
export const importWhileServing = async (app: TestApp, lines: number): Promise<void> => {
  const admin = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
  const countUsers = async () => (await app.db.selectFrom('usuario').select('idUsuario').execute()).length
  const usersBefore = await countUsers()
  const linhas = Array.from({ length: lines }, (_, index) => importRow(index + 2))
  const began = performance.now()
  let isDone = false
  const written = admin.post('/usuarios/importacao', { linhas }).finally(() => {
    isDone = true
  })
  let served = 0
  let slowest = 0
  while (!isDone) {
    const before = performance.now()
    expect((await admin.get('/usuarios?pagina=1')).status).toBe(200)
    slowest = Math.max(slowest, performance.now() - before)
    served += 1
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  const { status, body } = await written
  expect([status, body]).toEqual([201, { cadastrados: lines }])
  expect(await countUsers()).toBe(usersBefore + lines)
  expect(served).toBeGreaterThan(5)
  // Hashing takes nearly all of the time and must not block other calls.
  expect(slowest).toBeLessThan((performance.now() - began) / 2)
}
