// @vitest-environment happy-dom
import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../test/token.ts'
import { currentUserQuery, refreshCurrentUser } from './queries.ts'
import { currentSession, startSession } from './session.ts'

afterEach(() => vi.unstubAllGlobals())

test('a second factor that is demanded by now shows on the session as soon as the person is read anew', async () => {
  startSession(signedInUntil(Date.now() + 60_000))
  const person = { nomeUsuario: 'Ana', pendencia: null, sessaoExpiraEm: 'a', sessaoOciosaEm: 'b' }
  const client = new QueryClient()
  client.setQueryData(currentUserQuery.queryKey, person as never)
  vi.stubGlobal('fetch', async () => Response.json(person))
  await refreshCurrentUser(client)
  expect(currentSession()?.pendencia).toBeNull()
  vi.stubGlobal('fetch', async () => Response.json({ ...person, pendencia: 'segundo_fator' }))
  await refreshCurrentUser(client)
  expect(currentSession()?.pendencia).toBe('segundo_fator')
})
