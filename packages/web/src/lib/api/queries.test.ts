import { QueryClient } from '@tanstack/react-query'
import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, startSession } from '../session/session.ts'
import { currentUserQuery, refreshCurrentUser } from './queries.ts'

afterEach(() => vi.unstubAllGlobals())

test('refreshCurrentUser updates the session when the server now demands a second factor', async () => {
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
