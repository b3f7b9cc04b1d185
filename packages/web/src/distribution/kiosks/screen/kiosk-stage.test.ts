import type { EmbeddedReport, KioskRotationPage } from '@bi-manager/contract'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { callerOf } from '../../../lib/api/bearer-call.ts'
import type { FrameListeners, ReportFrame } from '../../../reports/viewer/frame/report-frame.ts'
import { KioskStage } from './kiosk-stage.ts'
import { KioskTokens } from './kiosk-tokens.ts'

const page: KioskRotationPage = {
  idTelaoPagina: 4,
  idRelatorio: 7,
  nomeRelatorio: 'Custos',
  pagina: 'p2',
  tituloPagina: null,
  segundos: 30,
}

let issued: string[]
let lifeMs: number
let installed: string[]
let opened: { embedded: EmbeddedReport; listeners: FrameListeners }[]
let resets: number
let stage: KioskStage
beforeEach(() => {
  vi.useFakeTimers()
  issued = []
  lifeMs = 3_600_000
  installed = []
  opened = []
  resets = 0
  vi.stubGlobal('fetch', async (path: string) => {
    issued.push(path)
    return Response.json({
      embedToken: `token-${issued.length}`,
      expiration: new Date(Date.now() + lifeMs).toISOString(),
      pageName: 'p2',
    })
  })
  const report = { setAccessToken: async (token: string) => void installed.push(token) }
  const frame = {
    open: async (embedded: EmbeddedReport, _: object, listeners: FrameListeners) => {
      opened.push({ embedded, listeners })
      return report
    },
    reset: () => {
      resets += 1
    },
  } as unknown as Pick<ReportFrame, 'open' | 'reset'>
  stage = new KioskStage(frame, new KioskTokens(callerOf('telao_x')))
})
afterEach(() => {
  stage.clear()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

const draw = async (end: (listeners: FrameListeners) => void) => {
  const drawing = stage.draw(page, new AbortController().signal)
  drawing.catch(() => undefined)
  await vi.advanceTimersByTimeAsync(0)
  const last = opened.at(-1)
  if (last) end(last.listeners)
  await drawing
}

test('the kiosk stage draws a page with one token an hour, however often it returns', async () => {
  await draw(({ onRendered }) => onRendered())
  await draw(({ onRendered }) => onRendered())
  expect(issued).toEqual(['/api/telao/paginas/4/embed'])
  expect(opened.map(({ embedded }) => [embedded.embedToken, embedded.pageName])).toEqual([
    ['token-1', 'p2'],
    ['token-1', 'p2'],
  ])
})

test('the kiosk stage requests another token when the known one would end during the page', async () => {
  lifeMs = 320_000
  await draw(({ onRendered }) => onRendered())
  await draw(({ onRendered }) => onRendered())
  expect(opened.map(({ embedded }) => embedded.embedToken)).toEqual(['token-1', 'token-2'])
})

test('the kiosk stage renews the token of the page on the screen before it ends, and when the provider says so', async () => {
  await draw(({ onRendered }) => onRendered())
  await vi.advanceTimersByTimeAsync(51 * 60_000)
  expect(installed).toEqual(['token-2'])
  await vi.advanceTimersByTimeAsync(120_000)
  opened[0]?.listeners.onError({ message: 'TokenExpired' })
  await vi.advanceTimersByTimeAsync(10_000)
  expect(installed).toEqual(['token-2', 'token-3'])
  stage.clear()
  await vi.advanceTimersByTimeAsync(2 * 3_600_000)
  expect(installed).toHaveLength(2)
})

test('a page that fails is removed, and its token is not used again', async () => {
  const failure = { message: 'PowerBIEntityNotFound' }
  await expect(draw(({ onError }) => onError(failure))).rejects.toEqual(failure)
  expect(resets).toBe(1)
  await draw(({ onRendered }) => onRendered())
  expect(issued).toHaveLength(2)
})

test('a page that is not drawn within a minute fails', async () => {
  const drawing = expect(draw(() => undefined)).rejects.toThrow(/não respondeu a tempo/)
  await vi.advanceTimersByTimeAsync(61_000)
  await drawing
})
