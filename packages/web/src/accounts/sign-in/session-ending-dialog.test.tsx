import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { MantineProvider } from '@mantine/core'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { signedInUntil } from '../../../test/token.ts'
import { currentSession, endSession, startSession } from '../../lib/session/session.ts'
import { SessionEndingDialog } from './session-ending-dialog.tsx'

/*
 * Kind: the computer's clock changes while a page is open (a correction, sleep), and the page takes
 * that for time that passed on the server.
 */

const second = 1_000
const hour = 3_600 * second
const trueNow = Date.now

/** How far (ms) the computer's clock and the server's clock are ahead of the true time. */
let computerAhead: number
let serverAhead: number
/** When the server ends the session, by its clock. */
let idleEnd: number
let calls: (string | undefined)[]
let server: Server

const serverTime = () => trueNow() + serverAhead
const iso = (time: number) => new Date(time).toISOString()

const pageUrl = window.location.href
const setUrl = (url: string) =>
  (window as unknown as { happyDOM: { setURL: (url: string) => void } }).happyDOM.setURL(url)

beforeEach(async () => {
  computerAhead = 0
  serverAhead = 0
  calls = []
  vi.spyOn(Date, 'now').mockImplementation(() => trueNow() + computerAhead)
  server = createServer((request, response) => {
    calls.push(request.headers['x-segundo-plano']?.toString())
    const isValid = serverTime() < idleEnd
    response.writeHead(isValid ? 200 : 401, {
      'content-type': 'application/json',
      date: new Date(serverTime()).toUTCString(),
    })
    const limits = { sessaoExpiraEm: iso(trueNow() + 8 * hour), sessaoOciosaEm: iso(idleEnd) }
    const problem = { type: 'about:blank', title: 'x', status: 401, detail: 'x', idRequisicao: '1' }
    response.end(JSON.stringify(isValid ? limits : { ...problem, codigo: 'sessao_invalida' }))
  })
  await new Promise<void>((resolve) => server.listen(0, resolve))
  setUrl(`http://localhost:${(server.address() as AddressInfo).port}/`)
})

afterEach(() => {
  vi.restoreAllMocks()
  endSession('saiu')
  server.closeAllConnections()
  server.close()
  setUrl(pageUrl)
})

const open = async (idleLeftMs: number) => {
  idleEnd = trueNow() + idleLeftMs
  startSession(signedInUntil(trueNow() + 8 * hour))
  render(
    <QueryClientProvider client={new QueryClient()}>
      <MantineProvider>
        <SessionEndingDialog />
      </MantineProvider>
    </QueryClientProvider>,
  )
  await waitFor(() => expect(calls).toHaveLength(1))
  await ticks(1)
}

const ticks = (count: number) => new Promise((resolve) => setTimeout(resolve, count * 1_200))
/** The first call is that of the person; the page then asks by itself, which is not a use. */
const expectBackgroundCalls = () => {
  expect(calls[0]).toBeUndefined()
  expect(new Set(calls.slice(1))).toEqual(new Set(['1']))
}
const dialog = () => screen.queryByText('Sua sessão está terminando')
const isSignedIn = () => currentSession() !== undefined

test.each([
  ['3 hours', 3 * hour],
  ['12 hours, more than the life of the session', 12 * hour],
])('a clock that is set forward by %s ends nothing', async (_, jump) => {
  await open(hour)
  computerAhead += jump
  expect(isSignedIn()).toBe(true)
  await ticks(3)
  expect([isSignedIn(), dialog()]).toEqual([true, null])
  expectBackgroundCalls()
})

test('a clock that is set back hides no end: the dialog shows the time that is left', async () => {
  await open(90 * second)
  expect(dialog()).not.toBeNull()
  computerAhead -= 3 * hour
  await ticks(3)
  expect(isSignedIn()).toBe(true)
  expect(screen.getByRole('timer').textContent).toMatch(/^Termina em 1:[12]\d\.$/)
})

test('a session that ended while the computer slept ends after the answer of the server', async () => {
  await open(hour)
  computerAhead += 9 * hour
  serverAhead += 9 * hour
  await waitFor(() => expect(isSignedIn()).toBe(false))
  expectBackgroundCalls()
})

test('a session that is still valid after sleep stays', async () => {
  await open(2 * hour)
  computerAhead += hour
  serverAhead += hour
  await ticks(3)
  expect([isSignedIn(), dialog()]).toEqual([true, null])
})

test('without an answer, a changed clock ends nothing', async () => {
  await open(hour)
  server.closeAllConnections()
  server.close()
  computerAhead += 12 * hour
  await ticks(3)
  expect([isSignedIn(), dialog()]).toEqual([true, null])
})

test('at the idle end the page asks the server, which knows of more uses, and the session stays', async () => {
  await open(6 * second)
  idleEnd += hour
  await ticks(6)
  expect(isSignedIn()).toBe(true)
  expectBackgroundCalls()
})

test('at the idle end the session ends when the server says so', async () => {
  await open(6 * second)
  await waitFor(() => expect(isSignedIn()).toBe(false), { timeout: 10_000 })
  expectBackgroundCalls()
})

test('at the idle end the session ends when the server does not answer', async () => {
  await open(6 * second)
  server.closeAllConnections()
  server.close()
  await waitFor(() => expect(isSignedIn()).toBe(false), { timeout: 10_000 })
})
