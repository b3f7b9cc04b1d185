import type { ShownAnnouncement } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { AnnouncementBanners } from './announcement-banners.tsx'
import { unreadQuery } from './notifications-queries.ts'

let requests: string[]
let answer: () => Response | Promise<Response>
beforeEach(() => {
  requests = []
  answer = () => new Response(null, { status: 204 })
  vi.stubGlobal('fetch', async (url: string, init?: RequestInit) => {
    requests.push(`${init?.method} ${url}`)
    return answer()
  })
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

const banner = (idAviso: number, fields: Partial<ShownAnnouncement> = {}): ShownAnnouncement => ({
  idAviso,
  titulo: `Aviso ${idAviso}`,
  texto: 'Texto',
  manutencao: false,
  inicio: new Date(Date.now() - 60_000).toISOString(),
  fim: new Date(Date.now() + 60_000).toISOString(),
  ...fields,
})

const show = (avisos: ShownAnnouncement[]) => {
  const client = new QueryClient()
  client.setQueryData(unreadQuery.queryKey, { naoLidas: 0, avisos })
  render(
    <QueryClientProvider client={client}>
      <MantineProvider env="test">
        <MemoryRouter>
          <main>
            <AnnouncementBanners />
            <h1>Página</h1>
          </main>
        </MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )
  return client
}
const closeOf = (title: string) => screen.getByRole('button', { name: `Dispensar o aviso: ${title}` })

test('the page sends no call of its own, and shows two banners until asked for the others', async () => {
  show([banner(1), banner(2), banner(3), banner(4)])
  expect(requests).toEqual([])
  expect(screen.queryByText('Aviso 3')).toBeNull()
  await userEvent.click(screen.getByRole('button', { name: 'Mostrar mais 2 avisos' }))
  expect(screen.getByText('Aviso 4')).toBeDefined()
})

test('the page dismisses a banner with one call, and moves the focus to the next one, then to the page', async () => {
  show([banner(1), banner(2)])
  const close = closeOf('Aviso 1')
  await userEvent.dblClick(close)
  await waitFor(() => expect(screen.queryByText('Aviso 1')).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(closeOf('Aviso 2')))
  expect(requests).toEqual(['POST /api/meus-avisos/1/leitura'])
  await userEvent.keyboard('{Enter}')
  await waitFor(() => expect(screen.queryByRole('region', { name: 'Avisos' })).toBeNull())
  await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Página' })))
})

test('the page keeps a banner that could not be dismissed, with the reason', async () => {
  answer = () => Response.json({ codigo: 'erro_interno', detail: 'Falhou.' }, { status: 500 })
  show([banner(1)])
  await userEvent.click(closeOf('Aviso 1'))
  expect((await screen.findByRole('alert')).textContent).not.toBe('')
  expect(screen.getByText('Aviso 1')).toBeDefined()
})

test('the page removes a banner that was deleted meanwhile, and one whose period has ended', async () => {
  answer = () => Response.json({ codigo: 'nao_encontrado', detail: 'Não existe.' }, { status: 404 })
  show([banner(1), banner(2, { fim: new Date(Date.now() - 1).toISOString() })])
  expect(screen.queryByText('Aviso 2')).toBeNull()
  await userEvent.click(closeOf('Aviso 1'))
  await waitFor(() => expect(screen.queryByText('Aviso 1')).toBeNull())
})

test('the page offers the whole of a long announcement on its page', () => {
  show([banner(7, { texto: 'x'.repeat(500) }), banner(8)])
  const links = screen.getAllByRole('link', { name: 'Ler o aviso inteiro' })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/aviso/7'])
})
