// @vitest-environment happy-dom
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { EmbeddedReport, PageData } from '../embed-contract.ts'
import type { DataApi } from './data-api.ts'
import { problem } from './problem.ts'
import { reportRoutes } from './report-routes.ts'
import { createReportSession } from './report-session.ts'
import { createRouter } from './router.ts'

const visual = (name: string) => ({
  name,
  type: 'card' as const,
  title: name,
  layout: { x: 0, y: 0, width: 300, height: 100 },
  format: {},
  labels: {},
  option: {},
  conditional: {},
  ignoresSelection: false,
})
const target = { table: 'Sinistralidade', column: 'operadora' }
const filterOn = (value: string, column = 'operadora') => ({
  target: { ...target, column },
  filterType: 1 as const,
  operator: 'In' as const,
  values: [value],
  requireSingleSelection: false,
})
const report: Omit<EmbeddedReport, 'expiresAt'> = {
  id: 'r1',
  name: 'Sinistralidade',
  filterPane: [],
  bookmarks: [],
  filters: [filterOn('autor', 'sexo')],
  columns: { Sinistralidade: ['operadora', 'sexo'] },
  pages: [
    { name: 'geral', displayName: 'Geral', filters: [], visuals: [visual('custo'), visual('vidas')] },
    { name: 'perfil', displayName: 'Perfil', filters: [], visuals: [visual('idade')] },
  ],
}

/** The server, as far as tokens and answers go; `hold` keeps data calls, `holdReport` report calls open until released. */
function fakeServer() {
  const calls: { token: string; page: string; filters: unknown[] }[] = []
  const tokens = new Map([
    ['good', 3_600_000],
    ['short', 1000],
    ['next', 3_600_000],
  ])
  const issued = Date.now()
  const server = {
    calls,
    fail: false,
    waiting: [] as (() => void)[],
    hold: false,
    holdReport: false,
    /** As it is published now; undefined: no more. */
    report: report as typeof report | undefined,
  }
  const check = (token: string) => {
    const life = tokens.get(token)
    if (life === undefined) throw problem(403, 'PowerBINotAuthorizedException', 'Você não tem acesso.')
    if (Date.now() >= issued + life) throw problem(403, 'TokenExpired', 'Expirou.')
    return issued + life
  }
  const api: DataApi = {
    report: async (_id, token) => {
      if (server.holdReport) await new Promise<void>((resolve) => server.waiting.push(resolve))
      const expiresAt = check(token)
      if (!server.report) throw problem(404, 'PowerBIEntityNotFound', 'Este relatório não existe mais.')
      return { ...server.report, expiresAt }
    },
    pageData: async (_id, token, { page, filters }, signal): Promise<PageData> => {
      calls.push({ token, page, filters })
      if (server.hold) await new Promise<void>((resolve) => server.waiting.push(resolve))
      if (signal.aborted) throw new DOMException('aborted', 'AbortError')
      check(token)
      if (!server.report?.pages.some(({ name }) => name === page))
        throw problem(404, 'PowerBIEntityNotFound', 'Este relatório não existe mais.')
      if (server.fail) throw problem(500, 'InternalError', 'Falhou.')
      const rows = { columns: ['n'], rows: [[filters.length]], truncated: false }
      return { visuals: { custo: rows, vidas: rows, idade: rows }, failures: {} }
    },
    values: async () => ({ values: [], truncated: false }),
  }
  return { api, server }
}

function open() {
  const { api, server } = fakeServer()
  const events: { event: string; body: unknown; uid?: string }[] = []
  const view = {
    showLoading: vi.fn(),
    showFailure: vi.fn(),
    showReport: vi.fn(),
    drawPage: vi.fn(async () => undefined),
    presentBookmarks: vi.fn(),
    refreshValues: vi.fn(),
    say: vi.fn(),
    refuse: vi.fn(),
    failPage: vi.fn(),
  }
  let uid = ''
  const session = createReportSession(api, view, (event, body) => events.push({ event, body, uid }))
  const router = createRouter(
    reportRoutes(session, (given) => {
      uid = given
    }),
  )
  const send = (method: string, url: string, body: unknown = null, headers = {}) =>
    router({ method, url, headers, body })
  const load = (accessToken = 'good', more = {}) =>
    send('POST', '/report/load', { id: 'r1', accessToken, ...more }, { uid: 'u1' })
  const names = () => events.splice(0).map(({ event }) => event)
  return { session, server, events, view, send, load, names }
}

/** Lets what is under way finish, frames included. */
const settle = (milliseconds = 300) => vi.advanceTimersByTimeAsync(milliseconds)

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('loading', () => {
  it('answers 202 at once, then says loaded, renderingStarted, rendered under the uid of the message', async () => {
    const { load, events, view } = open()
    expect(await load()).toEqual({ status: 202, body: {} })
    await settle()
    expect(events.map(({ event, uid }) => [event, uid])).toEqual([
      ['loaded', 'u1'],
      ['renderingStarted', 'u1'],
      ['rendered', 'u1'],
    ])
    expect(view.drawPage).toHaveBeenCalledOnce()
  })

  it('draws a prepared report only when told to, with the options of that message', async () => {
    const { send, names, server } = open()
    await send('POST', '/report/prepare', { id: 'r1', accessToken: 'good' }, { uid: 'u1' })
    await settle()
    expect(names()).toEqual(['loaded'])
    await send('POST', '/report/render', { pageName: 'perfil' })
    await settle()
    expect(names()).toEqual(['renderingStarted', 'rendered'])
    expect(server.calls.map(({ page }) => page)).toEqual(['perfil'])
  })

  it('asks once for a prepared report that is given filters before it is drawn', async () => {
    const { send, names, server } = open()
    await send('POST', '/report/prepare', { id: 'r1', accessToken: 'good' }, { uid: 'u1' })
    await settle()
    names()
    await send('PUT', '/report/filters', [filterOn('CNU')])
    await settle()
    expect([names(), server.calls]).toEqual([['filtersApplied'], []])
    await send('POST', '/report/render')
    await settle()
    expect(names()).toEqual(['renderingStarted', 'rendered'])
    await send('PUT', '/report/filters', [])
    await settle()
    expect(server.calls.map(({ filters }) => filters)).toEqual([[filterOn('CNU')], []])
  })

  it.each([
    ['GET', '/report/pages'],
    ['PUT', '/report/pages/active'],
    ['GET', '/report/filters'],
    ['PUT', '/report/filters'],
    ['POST', '/report/filters'],
    ['PATCH', '/report/settings'],
    ['GET', '/report/zoom'],
    ['POST', '/report/render'],
    ['POST', '/report/refresh'],
    ['POST', '/report/print'],
    ['DELETE', '/report/userState'],
  ])('answers 409 to %s %s before it', async (method, url) => {
    expect(await open().send(method, url, {})).toMatchObject({
      status: 409,
      body: { message: 'ReportNotLoaded' },
    })
  })

  it.each([{}, null, { id: 'r1' }, { id: 5, accessToken: 'good' }])(
    'refuses the config %j',
    async (config) => {
      const { send, names } = open()
      expect(await send('POST', '/report/load', config)).toMatchObject({ status: 400 })
      await settle()
      expect(names()).toEqual([])
    },
  )

  it('fails as an error event, with nothing drawn, when a filter names an unknown column', async () => {
    const { load, events, view, server } = open()
    await load('good', { filters: [filterOn('x', 'nada')] })
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { errorCode: 'InvalidFilter', level: 6 } }])
    expect(view.showFailure).toHaveBeenCalledOnce()
    expect(server.calls).toEqual([])
  })

  // Microsoft's client refuses the first four before it sends them; to leave one out would show rows that it was to hide.
  it.each([
    [{ filters: 'operadora' }, 'InvalidFilter'],
    [{ filters: 5 }, 'InvalidFilter'],
    [{ filters: { allPages: 'operadora' } }, 'InvalidFilter'],
    [{ filters: { currentPage: [filterOn('x')] } }, 'InvalidFilter'],
    [{ filters: [null] }, 'InvalidFilter'],
    [{ slicers: [null] }, 'InvalidParameters'],
    [{ slicers: ['operadora'] }, 'InvalidParameters'],
    [{ slicers: 'operadora' }, 'InvalidParameters'],
  ])('refuses %j, at load and at render', async (given, errorCode) => {
    const { load, send, events, server } = open()
    await load('good', given)
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { errorCode, level: 6 } }])
    await send('POST', '/report/prepare', { id: 'r1', accessToken: 'good' }, { uid: 'u1' })
    await settle()
    expect(await send('POST', '/report/render', given)).toMatchObject({ status: 400, body: { errorCode } })
    expect(server.calls).toEqual([])
  })

  it('takes the filters of all pages, and those of none', async () => {
    const { load, send } = open()
    await load('good', {
      filters: { allPages: { operation: 1, filters: [filterOn('CNU')] }, currentPage: null },
    })
    await settle()
    expect((await send('GET', '/report/filters')).body).toEqual([filterOn('CNU')])
  })

  it('replaces the author’s filters of the same target only', async () => {
    const { load, send } = open()
    await load('good', { filters: [filterOn('CNU')] })
    await settle()
    expect((await send('GET', '/report/filters')).body).toEqual([filterOn('autor', 'sexo'), filterOn('CNU')])
  })

  it('lets a newer load end the older in silence', async () => {
    const { load, names } = open()
    await Promise.all([load(), load()])
    await settle()
    expect(names()).toEqual(['loaded', 'renderingStarted', 'rendered'])
  })
})

describe('pages, filters and settings', () => {
  async function loaded() {
    const opened = open()
    await opened.load()
    await settle()
    opened.names()
    opened.server.calls.length = 0
    return opened
  }

  it('changes the page, and says so', async () => {
    const { send, events } = await loaded()
    expect(await send('PUT', '/report/pages/active', { name: 'perfil' })).toEqual({ status: 202, body: {} })
    await settle()
    expect(events[0]).toMatchObject({
      event: 'pageChanged',
      body: { newPage: { name: 'perfil', displayName: 'Perfil' }, oldPage: { name: 'geral' } },
    })
    expect(events.at(-1)?.event).toBe('rendered')
    expect((await send('GET', '/report/pages')).body).toMatchObject([
      { name: 'geral', isActive: false },
      { name: 'perfil', isActive: true },
    ])
  })

  it('refuses an unknown page and stays', async () => {
    const { send, names } = await loaded()
    expect((await send('PUT', '/report/pages/active', { name: 'nada' })).status).toBe(404)
    await settle()
    expect(names()).toEqual([])
  })

  it('refuses an unknown column and keeps the filters', async () => {
    const { send, names, server } = await loaded()
    expect(await send('PUT', '/report/filters', [filterOn('x', 'nada')])).toMatchObject({
      status: 400,
      body: { errorCode: 'InvalidFilter' },
    })
    await settle()
    expect([names(), server.calls]).toEqual([[], []])
    expect((await send('GET', '/report/filters')).body).toEqual(report.filters)
  })

  it('says which layouts it has, by name as powerbi-client asks, or by number', async () => {
    const { send } = await loaded()
    const has = async (type: string) => (await send('GET', `/report/pages/perfil/layoutTypes/${type}`)).body
    for (const type of ['Master', '0', 'MobilePortrait', '2']) expect(await has(type), type).toBe(true)
    for (const type of ['Custom', '1', 'MobileLandscape', '3', 'x']) expect(await has(type), type).toBe(false)
  })

  it('counts the filters of all levels together', async () => {
    const { send } = await loaded()
    const many = (count: number) => Array.from({ length: count }, () => filterOn('CNU'))
    expect((await send('PUT', '/report/filters', many(12))).status).toBe(202)
    expect((await send('PUT', '/report/pages/perfil/filters', many(9))).status).toBe(400)
    expect((await send('PUT', '/report/pages/perfil/filters', many(8))).status).toBe(202)
  })

  it('sends the filters of report and page, and asks again for a visual with its own', async () => {
    const { send, server, view } = await loaded()
    await send('PUT', '/report/pages/geral/filters', [filterOn('CNU')])
    await send('POST', '/report/pages/geral/visuals/vidas/filters', {
      filtersOperation: 2,
      filters: [filterOn('X')],
    })
    server.calls.length = 0
    await send('POST', '/report/refresh')
    await settle()
    expect(server.calls.map(({ filters }) => filters.length)).toEqual([2, 3])
    expect(view.drawPage.mock.lastCall).toMatchObject([
      {},
      { custo: { rows: [[2]] }, vidas: { rows: [[3]] } },
      {},
    ])
  })

  it('draws only the last of several changes', async () => {
    const { send, names, view, server } = await loaded()
    view.drawPage.mockClear()
    server.hold = true
    await send('PUT', '/report/filters', [filterOn('CNU')])
    await send('PUT', '/report/filters', [])
    for (const release of server.waiting.toReversed()) release()
    await settle()
    expect(names().filter((name) => name === 'rendered')).toHaveLength(1)
    expect(view.drawPage.mock.calls).toMatchObject([[{ reportFilters: [] }, { custo: { rows: [[0]] } }, {}]])
  })

  it('resets to the author’s filters', async () => {
    const { send } = await loaded()
    await send('PUT', '/report/filters', [])
    expect((await send('DELETE', '/report/userState')).status).toBe(202)
    expect((await send('GET', '/report/filters')).body).toEqual(report.filters)
  })

  it.each([0.24, 4.01, Number.NaN, '2'])('refuses zoom %s', async (zoomLevel) => {
    const { send } = await loaded()
    expect((await send('PATCH', '/report/settings', { zoomLevel })).status).toBe(400)
    expect(await send('GET', '/report/zoom')).toEqual({ status: 200, body: 1 })
  })

  it('merges settings without drawing again', async () => {
    const { send, session, server } = await loaded()
    await send('PATCH', '/report/settings', { zoomLevel: 0.25, panes: { filters: { visible: false } } })
    await send('PATCH', '/report/settings', { panes: { pageNavigation: { visible: false } } })
    expect(session.state()).toMatchObject({
      zoom: 0.25,
      settings: { panes: { filters: { visible: false }, pageNavigation: { visible: false } } },
    })
    expect(server.calls).toEqual([])
  })

  it('keeps the frame when data fails, and says so', async () => {
    const { send, server, events, view } = await loaded()
    server.fail = true
    await send('POST', '/report/refresh')
    await settle()
    expect(view.failPage).toHaveBeenCalledOnce()
    expect(events.at(-1)).toMatchObject({ event: 'error', body: { message: 'InternalError', level: 3 } })
  })
})

describe('a report that is published anew', () => {
  async function loadedOn(pageName: string) {
    const opened = open()
    await opened.load('good', { pageName })
    await settle()
    opened.names()
    opened.server.calls.length = 0
    return opened
  }
  const [first, second] = report.pages
  const anew = { ...report, name: 'Sinistralidade 2', pages: first ? [first] : [] }

  it('without the page that is open says so, and shows its first page', async () => {
    const { send, server, events, view, session } = await loadedOn('perfil')
    session.setFilters({}, [filterOn('CNU')])
    await settle()
    events.length = 0
    server.report = anew
    await send('POST', '/report/refresh')
    await settle()
    expect(view.say.mock.calls).toEqual([
      [expect.stringContaining('A página que estava aberta não existe mais')],
    ])
    expect(events.map(({ event }) => event)).toEqual([
      'renderingStarted',
      'pageChanged',
      'renderingStarted',
      'rendered',
    ])
    expect(events[1]?.body).toMatchObject({ newPage: { name: 'geral' }, oldPage: { name: 'perfil' } })
    expect(server.calls.at(-1)).toMatchObject({ page: 'geral', filters: [filterOn('CNU')] })
    expect(session.state()).toMatchObject({ activePage: 'geral', report: { name: 'Sinistralidade 2' } })
    expect(view.failPage).not.toHaveBeenCalled()
  })

  it('goes to the page that is there also from a tab that leads nowhere', async () => {
    const { server, session, view } = await loadedOn('geral')
    server.report = anew
    session.setPage('perfil')
    await settle()
    expect([session.state().activePage, view.say.mock.calls.length]).toEqual(['geral', 1])
  })

  it('keeps no filter over a column that it has no more', async () => {
    const { send, server, session } = await loadedOn('perfil')
    session.setFilters({}, [filterOn('CNU'), filterOn('feminino', 'sexo')])
    await settle()
    server.report = { ...anew, columns: { Sinistralidade: ['operadora'] } }
    await send('POST', '/report/refresh')
    await settle()
    expect(session.state().reportFilters).toEqual([filterOn('CNU')])
  })

  it('and is gone altogether, or has its page after all, keeps the frame and says so', async () => {
    const { send, server, events, view } = await loadedOn('perfil')
    server.report = undefined
    await send('POST', '/report/refresh')
    await settle()
    expect(view.failPage.mock.lastCall).toMatchObject([{ body: { message: 'PowerBIEntityNotFound' } }])
    expect(events.at(-1)).toMatchObject({ event: 'error', body: { message: 'PowerBIEntityNotFound' } })
    expect(view.say).not.toHaveBeenCalled()
    expect(second?.name).toBe('perfil')
  })

  it('a token that is renewed meanwhile counts', async () => {
    const { send, server } = await loadedOn('perfil')
    server.holdReport = true
    const renewal = send('POST', '/report/token', 'next')
    server.holdReport = false
    server.report = anew
    await send('POST', '/report/refresh')
    await settle()
    for (const release of server.waiting.splice(0)) release()
    expect((await renewal).status).toBe(202)
    await send('POST', '/report/refresh')
    await settle()
    expect(server.calls.at(-1)?.token).toBe('next')
  })
})

describe('the token', () => {
  async function loaded(token: string) {
    const opened = open()
    await opened.load(token)
    await settle()
    opened.names()
    opened.server.calls.length = 0
    return opened
  }

  it('ends with one error event, and the page stays', async () => {
    const { events, view } = await loaded('short')
    await settle(60_000)
    expect(events).toMatchObject([{ event: 'error', body: { message: 'TokenExpired' } }])
    expect(view.failPage).not.toHaveBeenCalled()
  })

  it('is renewed in time without an event, a data call or a drawing', async () => {
    const { send, names, server, view } = await loaded('short')
    view.drawPage.mockClear()
    expect((await send('POST', '/report/token', 'next')).status).toBe(202)
    await settle(60_000)
    expect([names(), server.calls, view.drawPage.mock.calls]).toEqual([[], [], []])
  })

  it('is kept when the new one is refused', async () => {
    const { send, names, server } = await loaded('good')
    expect(await send('POST', '/report/token', 'forged')).toMatchObject({
      status: 403,
      body: { message: 'PowerBINotAuthorizedException' },
    })
    expect(names()).toEqual(['error'])
    await send('POST', '/report/refresh')
    await settle()
    expect(server.calls.map(({ token }) => token)).toEqual(['good'])
    expect(names()).toEqual(['renderingStarted', 'rendered'])
  })

  it('lets the page that waited for it be drawn', async () => {
    const { send, names, view, server } = await loaded('short')
    await settle(2000)
    await send('PUT', '/report/pages/active', { name: 'perfil' })
    await settle()
    expect(names()).toEqual(['error', 'pageChanged', 'renderingStarted'])
    expect(view.failPage).toHaveBeenCalledOnce()
    await send('POST', '/report/token', 'next')
    await settle()
    expect(names()).toEqual(['renderingStarted', 'rendered'])
    expect(server.calls.at(-1)).toMatchObject({ token: 'next', page: 'perfil' })
  })

  it('that had ended before the load is an error, without loaded', async () => {
    const { load, events } = open()
    await settle(2000)
    await load('short')
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { message: 'TokenExpired', level: 6 } }])
  })

  it.each(['next', 'forged'])(
    '%s, judged only after a newer load, does not disturb that one',
    async (token) => {
      const { send, load, names, server } = await loaded('short')
      server.holdReport = true
      const renewal = send('POST', '/report/token', token)
      server.holdReport = false
      await load('good')
      await settle()
      names()
      for (const release of server.waiting.splice(0)) release()
      await renewal
      await send('POST', '/report/refresh')
      await settle()
      expect(server.calls.at(-1)?.token).toBe('good')
      expect(names()).toEqual(['renderingStarted', 'rendered'])
    },
  )

  it('must be a text', async () => {
    const { send } = await loaded('good')
    expect((await send('POST', '/report/token', { token: 'good' })).status).toBe(400)
  })
})

it('answers 501 to what it does not know', async () => {
  expect((await open().send('POST', '/report/switchMode/edit')).status).toBe(501)
})
