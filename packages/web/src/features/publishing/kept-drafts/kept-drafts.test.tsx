import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../../test/token.ts'
import { startSession } from '../../../lib/session/session.ts'
import { PublishPage } from '../publish-page.tsx'

const tooMany = () => {
  const detail = 'Há muitos arquivos.'
  const problem = { type: 'about:blank', title: 'x', detail, codigo: 'rascunhos_demais', idRequisicao: '1' }
  return Response.json({ ...problem, status: 503 }, { status: 503 })
}

let kept: { rascunho: string; nome: string; em: string; pasta: boolean }[]
beforeEach(() => {
  startSession(signedInUntil(Date.now() + 600_000))
  const em = '2026-11-26T12:00:00.000Z'
  kept = [
    { rascunho: 'a', nome: 'custos.csv', em, pasta: false },
    { rascunho: 'b', nome: 'vendas', em, pasta: true },
  ]
  vi.stubGlobal('fetch', async (url: string, { method = 'GET' }: RequestInit) => {
    if (url.endsWith('/rascunhos')) return Response.json(kept)
    if (method === 'DELETE') {
      kept = kept.filter(({ rascunho }) => !url.endsWith(`/${rascunho}`))
      return new Response(null, { status: 204 })
    }
    if (method === 'POST') return tooMany()
    return Response.json([])
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

test('at the limit, lists what the person has sent, and discards it', async () => {
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <PublishPage Preview={() => null} />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  const [input] = document.querySelectorAll<HTMLInputElement>('input[type=file]')
  if (!input) throw new Error('There is no file input.')
  await userEvent.upload(input, new File(['a\n1\n'], 'abril.csv'))
  await screen.findByText('Há muitos arquivos.')
  const items = async () => (await screen.findAllByRole('listitem')).map(({ textContent }) => textContent)
  expect(await items()).toEqual([
    expect.stringContaining('custos.csv26/11/2026'),
    expect.stringContaining('Pasta vendas'),
  ])
  await userEvent.click(screen.getByRole('button', { name: /^Descartar custos\.csv/ }))
  await vi.waitFor(async () => expect(await items()).toHaveLength(1))
})
