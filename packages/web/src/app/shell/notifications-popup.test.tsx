import type { Notification } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { act, cleanup, fireEvent, render, screen, within } from '@testing-library/react'
import { createMemoryRouter, RouterProvider } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { followLive } from '../../lib/live/live.ts'
import { currentSession, startSession } from '../../lib/session/session.ts'
import { NotificationsPopup } from './notifications-popup.tsx'

let rows: Notification[]
let asked: { call: string; background: boolean; body: unknown }[]
let say: (text: string) => void
let idle: () => void
let stop: () => void

const problem = { type: 'about:blank', title: 'Erro', status: 500, idRequisicao: '1' }
const aNotification = (id: number, fields: Partial<Notification> = {}): Notification => ({
  idNotificacao: id,
  tipo: 'permissao_liberada',
  titulo: `Título ${id}`,
  texto: 'Você já pode abrir “Custos”.',
  rota: '/saidibi',
  criadaEm: new Date(Date.now() - id * 60_000).toISOString(),
  lidaEm: null,
  ...fields,
})
const unread = () => rows.filter(({ lidaEm }) => !lidaEm).length

/** A minimal fake of the server; the browser journey uses the real one. */
const answer = (call: string, body: { ids?: number[] } | undefined): unknown => {
  if (call.startsWith('POST')) {
    rows = rows.map((row) =>
      !body?.ids || body.ids.includes(row.idNotificacao) ? { ...row, lidaEm: row.criadaEm } : row,
    )
  }
  return call.startsWith('GET /api/notificacoes?') ? rows : { naoLidas: unread() }
}

beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  vi.spyOn(Math, 'random').mockReturnValue(0)
  rows = []
  asked = []
  vi.stubGlobal('fetch', async (url: string, { method = 'GET', headers, body }: RequestInit) => {
    if (url.endsWith('/usuarios/eventos')) {
      const stream = new ReadableStream({
        start: (control) => {
          say = (text) => control.enqueue(new TextEncoder().encode(text))
        },
      })
      return new Response(stream, { headers: { 'content-type': 'text/event-stream' } })
    }
    const call = `${method} ${url}`
    const sent = typeof body === 'string' ? JSON.parse(body) : undefined
    asked.push({ call, background: new Headers(headers).has('x-segundo-plano'), body: sent })
    return Response.json(answer(call, sent))
  })
  vi.stubGlobal('requestIdleCallback', (callback: () => void) => {
    idle = () => act(callback)
    return 1
  })
  vi.stubGlobal('cancelIdleCallback', () => undefined)
  startSession(signedInUntil(Date.now() + 3_600_000))
  const session = currentSession()
  if (!session) throw new Error('no session')
  stop = followLive(session)
})
afterEach(() => {
  // Unmounts while the fake server still answers.
  cleanup()
  stop()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const settle = (milliseconds = 20) => act(() => vi.advanceTimersByTimeAsync(milliseconds))
const show = () => {
  const router = createMemoryRouter(
    [
      {
        path: '*',
        element: (
          <>
            <NotificationsPopup />
            <main id="conteudo" />
          </>
        ),
      },
    ],
    { initialEntries: ['/powerbi'] },
  )
  render(
    <MantineProvider env="test">
      <QueryClientProvider client={new QueryClient({ defaultOptions: { queries: { retry: false } } })}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </MantineProvider>,
  )
  return router
}
const bell = () => screen.getByRole('button', { name: /^Notificações/ })
const openBell = async () => {
  fireEvent.click(bell())
  await settle()
  return screen.getByRole('dialog', { name: /^Notificações/ })
}

test('the notifications popup loads the unread count in the background once the page is idle', async () => {
  rows = [aNotification(1), aNotification(2), aNotification(3, { lidaEm: '2025-11-20T12:00:00.000Z' })]
  show()
  await settle(1_000)
  expect(asked).toEqual([])
  expect(bell().getAttribute('aria-label')).toBe('Notificações')
  idle()
  await settle()
  expect(asked).toEqual([{ call: 'GET /api/notificacoes/resumo', background: true, body: undefined }])
  expect(bell().getAttribute('aria-label')).toBe('Notificações, 2 não lidas')
  expect(bell().textContent).toBe('2')
})

test('the notifications popup updates the count and the open list on a live event, without counting as use, and announces it', async () => {
  rows = [aNotification(2)]
  show()
  idle()
  await settle()
  const popup = await openBell()
  expect(
    within(popup)
      .getAllByRole('link')
      .map(({ textContent }) => textContent)[0],
  ).toBe('Não lida: Título 2Você já pode abrir “Custos”.há 2 min')
  expect(screen.getByRole('status').textContent).toBe('')
  asked = []
  rows = [aNotification(1), aNotification(2)]
  say('event: notificacoes\ndata: {}\n\n')
  await settle()
  expect(asked.map(({ call, background }) => [call.split('?')[0], background])).toEqual([
    ['GET /api/notificacoes/resumo', true],
    ['GET /api/notificacoes', true],
  ])
  expect(bell().getAttribute('aria-label')).toBe('Notificações, 2 não lidas')
  expect(within(popup).getByText('Título 1')).toBeDefined()
  expect(screen.getByRole('status').textContent).toBe('Nova notificação: 2 não lidas')
  asked = []
  say('event: acesso\ndata: {}\n\n')
  await settle()
  expect(asked).toEqual([])
})

test('the notifications popup marks an opened notification as read and opens its page', async () => {
  rows = [aNotification(1, { rota: '/Registerpowerbi/3' }), aNotification(2)]
  const router = show()
  idle()
  await settle()
  const popup = await openBell()
  fireEvent.click(within(popup).getByText('Título 1'))
  await settle(300)
  expect(router.state.location.pathname).toBe('/Registerpowerbi/3')
  expect(asked.filter(({ call }) => call.startsWith('POST')).map(({ body }) => body)).toEqual([{ ids: [1] }])
  expect(bell().getAttribute('aria-label')).toBe('Notificações, 1 não lida')
  expect(screen.queryByRole('dialog')).toBeNull()
})

test('the notifications popup marks all as read, and shows a failure in the popup', async () => {
  rows = [aNotification(1), aNotification(2)]
  show()
  idle()
  await settle()
  const popup = await openBell()
  const server = globalThis.fetch
  vi.stubGlobal('fetch', async (url: string, init: RequestInit) =>
    init.method === 'POST'
      ? Response.json({ ...problem, codigo: 'erro_interno', detail: 'Algo deu errado.' }, { status: 500 })
      : server(url, init),
  )
  const all = () => within(popup).queryByRole('button', { name: 'Marcar todas como lidas' })
  fireEvent.click(all() as HTMLElement)
  await settle()
  expect(within(popup).getByRole('alert').textContent).toBe('Algo deu errado.')
  vi.stubGlobal('fetch', server)
  fireEvent.click(all() as HTMLElement)
  await settle()
  expect(unread()).toBe(0)
  expect(all()).toBeNull()
  expect(bell().getAttribute('aria-label')).toBe('Notificações')
  expect(within(popup).getByRole('link', { name: 'Ver todas' }).getAttribute('href')).toBe('/notificacoes')
})

test('the notifications popup shows 99+ above 99, and a message when there are none', async () => {
  rows = Array.from({ length: 120 }, (_, id) => aNotification(id))
  show()
  idle()
  await settle()
  expect([bell().textContent, bell().getAttribute('aria-label')]).toEqual([
    '99+',
    'Notificações, 120 não lidas',
  ])
  rows = []
  say('event: notificacoes\ndata: {}\n\n')
  await settle()
  expect(bell().textContent).toBe('')
  const popup = await openBell()
  expect(within(popup).getByText('Você não tem notificações.')).toBeDefined()
})
