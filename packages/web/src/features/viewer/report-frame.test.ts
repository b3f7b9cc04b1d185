// @vitest-environment happy-dom
import type { EmbeddedReport } from '@bi-manager/contract'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { BiService } from './bi-service.ts'
import { type FrameListeners, ReportFrame } from './report-frame.ts'

const origin = 'http://localhost:4501'
const { happyDOM } = window as unknown as { happyDOM: { settings: Record<string, boolean> } }
happyDOM.settings.handleDisabledFileLoadingAsSuccess = true

const embedded: EmbeddedReport = {
  embedToken: 'token',
  embedUrl: `${origin}/reportEmbed`,
  reportId: '33333333-aaaa-4333-8333-333333333333',
  pageName: null,
  expiration: new Date().toISOString(),
  idRelatorio: 7,
  nomeRelatorio: 'Internações',
  nomeGrupo: 'Custos',
  operadoraRelatorio: '',
  filtros: [],
}

let frame: ReportFrame
let element: HTMLElement
beforeEach(() => {
  // Not in the document, or happy-dom would look for the page behind the frame.
  const place = document.createElement('div')
  frame = new ReportFrame(new BiService(origin), place)
  element = place.firstElementChild as HTMLElement
  vi.spyOn(console, 'log').mockReturnValue(undefined)
})

/** What the frame's page would say. */
const say = (event: string, detail: unknown = {}) => element.dispatchEvent(new CustomEvent(event, { detail }))

const open = async () => {
  const heard: string[] = []
  const life = new AbortController()
  const listeners = new Proxy({} as FrameListeners, { get: (_, event) => () => heard.push(String(event)) })
  // The client wants 100 ms between two loads; the frame waits for that itself.
  await frame.open(embedded, { drawLater: false, signal: life.signal }, listeners)
  return { heard, close: () => life.abort() }
}

describe('what a frame tells', () => {
  test('before it has the load is of the report that it showed before', async () => {
    const { heard } = await open()
    say('error', { message: 'TokenExpired' })
    say('rendered')
    expect(heard).toEqual([])
    say('answered')
    say('error', { message: 'LoadReportFailed' })
    say('loaded')
    say('rendered')
    expect(heard).toEqual(['onError', 'onLoaded', 'onRendered'])
  })

  test('is heard until its report is closed', async () => {
    const { heard, close } = await open()
    say('answered')
    say('loaded')
    close()
    say('rendered')
    expect(heard).toEqual(['onLoaded'])
  })

  test('of the next report is heard also when the one before is closed after it has begun', async () => {
    const first = await open()
    say('answered')
    say('loaded')
    const second = await open()
    first.close()
    say('answered')
    say('loaded')
    expect(first.heard).toEqual(['onLoaded'])
    expect(second.heard).toEqual(['onLoaded'])
  })
})

test('a report is being drawn from its opening until it is rendered, and again when it is drawn anew', async () => {
  const drawing = []
  drawing.push(frame.isDrawing)
  await open()
  drawing.push(frame.isDrawing)
  for (const event of ['answered', 'loaded', 'renderingStarted', 'rendered', 'renderingStarted']) {
    say(event)
    drawing.push(frame.isDrawing)
  }
  expect(drawing).toEqual([false, true, true, true, true, false, true])
})
