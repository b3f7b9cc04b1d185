import type { Kiosk } from '@bi-manager/contract'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { cleanup, render, screen } from '@testing-library/react'
import { MemoryRouter } from 'react-router'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { KiosksPage } from './kiosks-page.tsx'
import { ScreenSection } from './screen-section.tsx'

/* A screen that loses its power says nothing: only the time since it was seen tells it. */

let answer: () => Response
let isBackground: boolean[]
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  isBackground = []
  vi.stubGlobal('fetch', async (_: string, init?: RequestInit) => {
    isBackground.push(new Headers(init?.headers).has('x-segundo-plano'))
    return answer()
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const kioskSeen = (vistaEm: number): Kiosk => ({
  idTelao: 3,
  nome: 'Recepção',
  paginas: [],
  aparencia: 'CLARO',
  ativo: true,
  validadeDias: 90,
  usuarioIdentidade: null,
  identidadeRls: null,
  redes: [],
  conectadaPor: 'Ana',
  dispositivo: null,
  versao: 1,
  conectadaEm: new Date(vistaEm - 86_400_000).toISOString(),
  vistaEm: new Date(vistaEm).toISOString(),
  expiraEm: new Date(vistaEm + 86_400_000).toISOString(),
})

const show = (page: React.ReactNode) =>
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider env="test">
        <MemoryRouter>{page}</MemoryRouter>
      </MantineProvider>
    </QueryClientProvider>,
  )

const texts = (text: string) => screen.queryAllByText(text).length

test('the list says that a screen fell silent, and that it is back, without a reload', async () => {
  let kiosk = kioskSeen(Date.now())
  answer = () => Response.json([kiosk], { headers: { 'x-total-count': '1' } })
  show(<KiosksPage />)
  await screen.findAllByText('No ar')
  await vi.advanceTimersByTimeAsync(200_000)
  expect([texts('No ar'), texts('Sem sinal') > 0]).toEqual([0, true])
  kiosk = kioskSeen(Date.now())
  await vi.advanceTimersByTimeAsync(31_000)
  expect([texts('Sem sinal'), texts('No ar') > 0]).toEqual([0, true])
  // These readings are not user activity.
  expect(isBackground[0]).toBe(false)
  expect(new Set(isBackground.slice(1))).toEqual(new Set([true]))
})

test('the list leads to the connection of a screen where there is none', async () => {
  const connected = { ...kioskSeen(Date.now()), vistaEm: null }
  const without = { ...connected, idTelao: 4, nome: 'Sala', conectadaEm: null, expiraEm: null }
  answer = () => Response.json([connected, without], { headers: { 'x-total-count': '2' } })
  show(<KiosksPage />)
  const links = await screen.findAllByRole('link', { name: /^Conectar tela/ })
  expect(links.map((link) => link.getAttribute('href'))).toEqual(['/cadastrar-telao/4'])
  // A connected screen has been seen when it was connected.
  expect(texts('Ainda não')).toBe(0)
  expect(texts('há 1 dia') + texts('ontem')).toBeGreaterThan(0)
})

test('the list says that a screen fell silent also while the portal does not answer', async () => {
  const kiosk = kioskSeen(Date.now())
  answer = () => Response.json([kiosk], { headers: { 'x-total-count': '1' } })
  show(<KiosksPage />)
  await screen.findAllByText('No ar')
  answer = () => new Response(null, { status: 503 })
  await vi.advanceTimersByTimeAsync(200_000)
  expect([texts('No ar'), texts('Sem sinal') > 0]).toEqual([0, true])
})

test("a kiosk's form says that its screen fell silent", async () => {
  const kiosk = kioskSeen(Date.now())
  answer = () => Response.json(kiosk)
  show(<ScreenSection kiosk={kiosk} />)
  expect(texts('No ar')).toBe(1)
  await vi.advanceTimersByTimeAsync(200_000)
  expect([texts('No ar'), texts('Sem sinal')]).toEqual([0, 1])
})
