import { QueryClient, QueryClientProvider, useQuery } from '@tanstack/react-query'
import { act, render, screen } from '@testing-library/react'
import { afterEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentUserQuery } from '../../lib/api/queries.ts'
import { startSession } from '../../lib/session/session.ts'
import { useOutsideNetworks } from './use-outside-networks.ts'

afterEach(() => vi.unstubAllGlobals())

/** As in the dialog of the session's end, which both frames have. */
const Person = () => <p>{useQuery(currentUserQuery).data?.nomeUsuario ?? 'lendo'}</p>
const Frame = () => {
  const { isOutside, check } = useOutsideNetworks({ enabled: true })
  if (!isOutside) return <Person />
  return (
    <div>
      <button type="button" onClick={check}>
        Rede não permitida
      </button>
      <Person />
    </div>
  )
}

test('a refused network is asked for a few times only, and again until it is allowed', async () => {
  startSession(signedInUntil(Date.now() + 60_000))
  const refusal = { type: 'about:blank', title: 'x', status: 403, detail: 'x', idRequisicao: '1' }
  let isAllowed = false
  const fetched = vi.fn(async () =>
    isAllowed
      ? Response.json({ nomeUsuario: 'Ana', pendencia: null })
      : Response.json({ ...refusal, codigo: 'rede_nao_permitida' }, { status: 403 }),
  )
  vi.stubGlobal('fetch', fetched)
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } })
  render(
    <QueryClientProvider client={client}>
      <Frame />
    </QueryClientProvider>,
  )
  const again = await screen.findByRole('button', { name: 'Rede não permitida' })
  await act(() => new Promise((resolve) => setTimeout(resolve, 200)))
  expect(fetched.mock.calls.length).toBeLessThanOrEqual(3)
  isAllowed = true
  again.click()
  expect(await screen.findByText('Ana')).toBeDefined()
})
