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

test('refreshCurrentUser drops the person whom the server refuses from this network', async () => {
  startSession(signedInUntil(Date.now() + 60_000))
  const client = new QueryClient()
  client.setQueryData(currentUserQuery.queryKey, { nomeUsuario: 'Ana', pendencia: null } as never)
  const refusal = { type: 'about:blank', title: 'x', status: 403, detail: 'x', idRequisicao: '1' }
  vi.stubGlobal('fetch', async () =>
    Response.json({ ...refusal, codigo: 'rede_nao_permitida' }, { status: 403 }),
  )
  await expect(refreshCurrentUser(client)).rejects.toThrow()
  expect(client.getQueryData(currentUserQuery.queryKey)).toBeUndefined()
  expect(currentSession()).not.toBeNull()
})
