import { MantineProvider } from '@mantine/core'
import { cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { currentCredential, storeCredential } from './kiosk-credential.ts'
import { KioskPage } from './kiosk-page.tsx'

const credencial = `telao_${'a'.repeat(43)}`

/** The build of this page: the module of versions reads it once. */
vi.hoisted(() => {
  document.documentElement.dataset.build = '100-aa'
})

let answers: Record<string, () => Response>
let sent: { path: string; authorization: string | null }[]
beforeEach(() => {
  vi.useFakeTimers({ shouldAdvanceTime: true })
  localStorage.clear()
  sent = []
  answers = {
    '/api/telao/codigo': () =>
      Response.json(
        { codigo: 'BCDFGHJK', credencial, expiraEm: new Date(Date.now() + 600_000).toISOString() },
        { status: 201 },
      ),
    '/api/telao/espera': () => Response.json({ situacao: 'AGUARDANDO' }),
    '/api/telao/rotacao': () =>
      Response.json({ nome: 'Recepção', aparencia: 'ESCURO', ativo: false, paginas: [] }),
    '/api/portal': () => Response.json({ origemEmbed: 'http://localhost:4501' }),
  }
  vi.stubGlobal('fetch', async (path: string, init?: RequestInit) => {
    sent.push({ path, authorization: new Headers(init?.headers).get('authorization') })
    return answers[path]?.() ?? new Response(null, { status: 404 })
  })
})
afterEach(() => {
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const open = () =>
  render(
    <MantineProvider>
      <KioskPage />
    </MantineProvider>,
  )

const problem = (status: number, codigo: string) =>
  Response.json(
    { type: 'urn:x', title: 'x', status, detail: 'Recusado.', codigo, idRequisicao: 'r' },
    { status, headers: { 'content-type': 'application/problem+json' } },
  )

test('the kiosk page shows a code, and the rotation once an ADMIN has confirmed it', async () => {
  open()
  expect(await screen.findByText('BCDF-GHJK')).toBeTruthy()
  expect(currentCredential()).toBeUndefined()
  answers['/api/telao/espera'] = () => Response.json({ situacao: 'CONECTADA' })
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText(/^Este telão está desligado/)).toBeTruthy()
  expect(currentCredential()).toBe(credencial)
  expect(screen.getByRole('main').dataset.look).toBe('ESCURO')
  const rotation = sent.find(({ path }) => path === '/api/telao/rotacao')
  expect(rotation?.authorization).toBe(`Bearer ${credencial}`)
})

test('the kiosk page says why it shows nothing: its reports were marked as sensitive', async () => {
  storeCredential(credencial)
  const motivo = 'Relatórios com dados sensíveis não passam em telões.'
  const rotation = { nome: 'Recepção', aparencia: 'CLARO', ativo: true, paginas: [] }
  answers['/api/telao/rotacao'] = () => Response.json({ ...rotation, motivo })
  open()
  expect(await screen.findByText(`Nenhuma página para mostrar agora. ${motivo}`)).toBeTruthy()
  answers['/api/telao/rotacao'] = () => Response.json({ ...rotation, motivo: null })
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText(/Um administrador vê o motivo/)).toBeTruthy()
})

test('the kiosk page asks for another code when the server says that this one has expired', async () => {
  open()
  await screen.findByText('BCDF-GHJK')
  answers['/api/telao/espera'] = () => problem(400, 'codigo_tela_vencido')
  await vi.advanceTimersByTimeAsync(5_500)
  expect(sent.filter(({ path }) => path === '/api/telao/codigo').length).toBe(2)
})

test('the kiosk page goes back to the code within seconds after the screen was disconnected', async () => {
  storeCredential(credencial)
  open()
  await screen.findByText(/^Este telão está desligado/)
  answers['/api/telao/rotacao'] = () => problem(401, 'telao_desconectado')
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText('BCDF-GHJK')).toBeTruthy()
  expect(currentCredential()).toBeUndefined()
})

test('the kiosk page shows the look of its kiosk, whatever the system prefers, until it is disconnected', async () => {
  const { dataset } = document.documentElement
  dataset.mantineColorScheme = 'light'
  storeCredential(credencial)
  open()
  await screen.findByText(/^Este telão está desligado/)
  expect(dataset.mantineColorScheme).toBe('dark')
  // The system switches, as by the time of day.
  dataset.mantineColorScheme = 'light'
  await vi.waitFor(() => expect(dataset.mantineColorScheme).toBe('dark'))
  answers['/api/telao/rotacao'] = () => problem(401, 'telao_desconectado')
  await vi.advanceTimersByTimeAsync(5_500)
  await screen.findByText('BCDF-GHJK')
  expect(dataset.mantineColorScheme).toBe('light')
})

test('the kiosk page shows no report outside the networks of its kiosk, says so, and returns by itself', async () => {
  storeCredential(credencial)
  open()
  await screen.findByText(/^Este telão está desligado/)
  answers['/api/telao/rotacao'] = () => problem(403, 'rede_de_telao')
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText('Recusado.')).toBeTruthy()
  expect(screen.getByRole('main').getAttribute('aria-label')).toBe('Telão')
  answers['/api/telao/rotacao'] = () => {
    throw new TypeError('sem rede')
  }
  await vi.advanceTimersByTimeAsync(5_500)
  expect(screen.getByText('Recusado.')).toBeTruthy()
  answers['/api/telao/rotacao'] = () =>
    Response.json({ nome: 'Recepção', aparencia: 'ESCURO', ativo: false, paginas: [] })
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText(/^Este telão está desligado/)).toBeTruthy()
  expect([screen.queryByText('Recusado.'), currentCredential()]).toEqual([null, credencial])
})

test('the kiosk page says since when the portal does not answer, and keeps its credential', async () => {
  storeCredential(credencial)
  open()
  await screen.findByText(/^Este telão está desligado/)
  answers['/api/telao/rotacao'] = () => {
    throw new TypeError('sem rede')
  }
  await vi.advanceTimersByTimeAsync(5_500)
  expect(await screen.findByText(/^Sem conexão desde \d\d:\d\d/)).toBeTruthy()
  expect(currentCredential()).toBe(credencial)
})

test("the kiosk page says it by the portal's clock, whatever the clock of the screen says", async () => {
  vi.setSystemTime('2026-03-12T09:00:00.000Z')
  const date = () => new Date(Date.now() - 40 * 3_600_000).toUTCString()
  const rotation = { nome: 'Recepção', aparencia: 'ESCURO', ativo: false, paginas: [] }
  answers['/api/telao/rotacao'] = () => Response.json(rotation, { headers: { date: date() } })
  storeCredential(credencial)
  open()
  await screen.findByText(/^Este telão está desligado/)
  answers['/api/telao/rotacao'] = () => {
    throw new TypeError('sem rede')
  }
  await vi.advanceTimersByTimeAsync(5_500)
  // 17:00 UTC two days before.
  expect(await screen.findByText(/^Sem conexão desde 14:00/)).toBeTruthy()
})

describe('a new version of the portal', () => {
  const builtAs = (build: string) => new Response(`<!doctype html><html data-build="${build}" lang="pt-BR">`)
  const rotation = { nome: 'Recepção', aparencia: 'ESCURO', ativo: false, paginas: [] }
  const announced = (body: object) => () => Response.json(body, { headers: { 'x-portal-build': '200-bb' } })
  let reloads: number
  let page: string
  beforeEach(() => {
    reloads = 0
    // The page asks for itself again. Its address is that of the files before this one.
    page = window.location.pathname
    vi.spyOn(window.location, 'reload').mockImplementation(() => {
      reloads += 1
    })
  })

  test('a new version of the portal is loaded by itself once the server serves it, and the screen stays connected', async () => {
    storeCredential(credencial)
    open()
    await screen.findByText(/^Este telão está desligado/)
    answers['/api/telao/rotacao'] = announced(rotation)
    // Another node, of the version before, still serves the page; then the server restarts.
    answers[page] = () => builtAs('100-aa')
    await vi.advanceTimersByTimeAsync(60_000)
    answers[page] = () => new Response(null, { status: 502 })
    await vi.advanceTimersByTimeAsync(60_000)
    expect(reloads).toBe(0)
    answers[page] = () => builtAs('200-bb')
    await vi.advanceTimersByTimeAsync(31_000)
    expect(reloads).toBe(1)
    expect(currentCredential()).toBe(credencial)
  })

  test('a new version of the portal waits while a code is shown, which an ADMIN may be typing', async () => {
    answers['/api/telao/espera'] = announced({ situacao: 'AGUARDANDO' })
    answers[page] = () => builtAs('200-bb')
    open()
    await screen.findByText('BCDF-GHJK')
    await vi.advanceTimersByTimeAsync(120_000)
    expect(reloads).toBe(0)
    await vi.advanceTimersByTimeAsync(500_000)
    expect(reloads).toBeGreaterThan(0)
  })
})
