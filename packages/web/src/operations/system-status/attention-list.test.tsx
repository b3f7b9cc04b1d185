import type { AttentionItem } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, expect, test, vi } from 'vitest'
import { AttentionList } from './attention-list.tsx'

afterEach(() => vi.unstubAllGlobals())

const show = (items: AttentionItem[]) => {
  const fetched = vi.fn(async (_url: string, _init: RequestInit) => Response.json(items))
  vi.stubGlobal('fetch', fetched)
  const shown = render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient()}>
        <MemoryRouter>
          <AttentionList />
        </MemoryRouter>
      </QueryClientProvider>
    </MantineProvider>,
  )
  return { ...shown, fetched }
}

test('the attention list leads to the page of each item, and asks in the background', async () => {
  const { fetched } = show([
    { assunto: 'contas', frase: '1 pedido de conta aguarda aprovação.', rota: '/usuario?situacao=PENDENTE' },
  ])
  const link = await screen.findByRole('link', { name: /Contas.*1 pedido de conta aguarda aprovação/ })
  expect(link.getAttribute('href')).toBe('/usuario?situacao=PENDENTE')
  expect(new Headers(fetched.mock.calls[0]?.[1].headers).get('x-segundo-plano')).toBe('1')
})

test('the attention list shows nothing when nothing needs attention', async () => {
  const { container, fetched } = show([])
  await vi.waitFor(() => expect(fetched).toHaveBeenCalledOnce())
  expect(container.querySelector('section')).toBeNull()
})
