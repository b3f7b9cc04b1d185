import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { filterOn, loaded, open, report, settle } from '../test/session-fixture.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('POST /report/load', () => {
  test('POST /report/load returns 202 at once, then emits loaded, renderingStarted and rendered with the uid of the message', async () => {
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

  test('POST /report/load requests the rows once, before the page is laid out', async () => {
    const { load, server, view } = open()
    const asked: number[] = []
    view.showReport.mockImplementation(() => void asked.push(server.calls.length))
    await load()
    await settle()
    expect(asked).toEqual([1])
    expect(server.calls).toHaveLength(1)
  })

  test('POST /report/load draws a prepared report only on render, with the options of that message', async () => {
    const { send, names, server } = open()
    await send('POST', '/report/prepare', { id: 'r1', accessToken: 'good' }, { uid: 'u1' })
    await settle()
    expect(names()).toEqual(['loaded'])
    await send('POST', '/report/render', { pageName: 'perfil' })
    await settle()
    expect(names()).toEqual(['renderingStarted', 'rendered'])
    expect(server.calls.map(({ page }) => page)).toEqual(['perfil'])
  })

  test('POST /report/load fetches a prepared report once when filters are set before the render', async () => {
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

  test.each([
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
  ])('POST /report/load makes %s %s return 409 when no report is loaded', async (method, url) => {
    expect(await open().send(method, url, {})).toMatchObject({
      status: 409,
      body: { message: 'ReportNotLoaded' },
    })
  })

  test.each([{}, null, { id: 'r1' }, { id: 5, accessToken: 'good' }])(
    'POST /report/load refuses the config %j',
    async (config) => {
      const { send, names } = open()
      expect(await send('POST', '/report/load', config)).toMatchObject({ status: 400 })
      await settle()
      expect(names()).toEqual([])
    },
  )

  test('POST /report/load emits an error and draws nothing when a filter names an unknown column', async () => {
    const { load, events, view, server } = open()
    await load('good', { filters: [filterOn('x', 'nada')] })
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { errorCode: 'InvalidFilter', level: 6 } }])
    expect(view.showFailure).toHaveBeenCalledOnce()
    expect(server.calls).toEqual([])
  })

  // powerbi-client refuses the first four itself; ignoring one would show rows that it should hide.
  test.each([
    [{ filters: 'operadora' }, 'InvalidFilter'],
    [{ filters: 5 }, 'InvalidFilter'],
    [{ filters: { allPages: 'operadora' } }, 'InvalidFilter'],
    [{ filters: { currentPage: [filterOn('x')] } }, 'InvalidFilter'],
    [{ filters: [null] }, 'InvalidFilter'],
    [{ slicers: [null] }, 'InvalidParameters'],
    [{ slicers: ['operadora'] }, 'InvalidParameters'],
    [{ slicers: 'operadora' }, 'InvalidParameters'],
  ])('POST /report/load refuses %j, at load and at render', async (given, errorCode) => {
    const { load, send, events, server } = open()
    await load('good', given)
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { errorCode, level: 6 } }])
    await send('POST', '/report/prepare', { id: 'r1', accessToken: 'good' }, { uid: 'u1' })
    await settle()
    expect(await send('POST', '/report/render', given)).toMatchObject({ status: 400, body: { errorCode } })
    expect(server.calls).toEqual([])
  })

  test('POST /report/load accepts filters for all pages, with null for the current page', async () => {
    const { load, send } = open()
    await load('good', {
      filters: { allPages: { operation: 1, filters: [filterOn('CNU')] }, currentPage: null },
    })
    await settle()
    expect((await send('GET', '/report/filters')).body).toEqual([filterOn('CNU')])
  })

  test('POST /report/load replaces only the author’s filters of the same target', async () => {
    const { load, send } = open()
    await load('good', { filters: [filterOn('CNU')] })
    await settle()
    expect((await send('GET', '/report/filters')).body).toEqual([filterOn('autor', 'sexo'), filterOn('CNU')])
  })

  test('POST /report/load ends silently when a newer load starts', async () => {
    const { load, names } = open()
    await Promise.all([load(), load()])
    await settle()
    expect(names()).toEqual(['loaded', 'renderingStarted', 'rendered'])
  })
})

describe('pages, filters and settings', () => {
  test('the session changes the page and emits pageChanged', async () => {
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

  test('the session refuses an unknown page and keeps the open one', async () => {
    const { send, names } = await loaded()
    expect((await send('PUT', '/report/pages/active', { name: 'nada' })).status).toBe(404)
    await settle()
    expect(names()).toEqual(['error'])
    expect((await send('GET', '/report/pages')).body).toMatchObject([{ isActive: true }, { isActive: false }])
  })

  test('the session refuses an unknown column and keeps the filters', async () => {
    const { send, names, server } = await loaded()
    expect(await send('PUT', '/report/filters', [filterOn('x', 'nada')])).toMatchObject({
      status: 400,
      body: { errorCode: 'InvalidFilter' },
    })
    await settle()
    expect([names(), server.calls]).toEqual([[], []])
    expect((await send('GET', '/report/filters')).body).toEqual(report.filters)
  })

  test('the session answers which layouts a page has, by name or by number', async () => {
    const { send } = await loaded()
    const has = async (type: string) => (await send('GET', `/report/pages/perfil/layoutTypes/${type}`)).body
    for (const type of ['Master', '0', 'MobilePortrait', '2']) expect(await has(type), type).toBe(true)
    for (const type of ['Custom', '1', 'MobileLandscape', '3', 'x']) expect(await has(type), type).toBe(false)
  })

  test('the session limits the filters of report and page together', async () => {
    const { send } = await loaded()
    const many = (count: number) => Array.from({ length: count }, () => filterOn('CNU'))
    expect((await send('PUT', '/report/filters', many(12))).status).toBe(202)
    expect((await send('PUT', '/report/pages/perfil/filters', many(9))).status).toBe(400)
    expect((await send('PUT', '/report/pages/perfil/filters', many(8))).status).toBe(202)
  })

  test('the session sends the filters of report and page, and a separate call for a visual with its own', async () => {
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

  test('the session draws only the last of several changes', async () => {
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

  test('the session resets to the author’s filters', async () => {
    const { send } = await loaded()
    await send('PUT', '/report/filters', [])
    expect((await send('DELETE', '/report/userState')).status).toBe(202)
    expect((await send('GET', '/report/filters')).body).toEqual(report.filters)
  })

  test.each([0.24, 4.01, Number.NaN, '2'])('the session refuses zoom %s', async (zoomLevel) => {
    const { send } = await loaded()
    expect((await send('PATCH', '/report/settings', { zoomLevel })).status).toBe(400)
    expect(await send('GET', '/report/zoom')).toEqual({ status: 200, body: 1 })
  })

  test('the session merges settings without drawing again', async () => {
    const { send, session, server } = await loaded()
    await send('PATCH', '/report/settings', { zoomLevel: 0.25, panes: { filters: { visible: false } } })
    await send('PATCH', '/report/settings', { panes: { pageNavigation: { visible: false } } })
    expect(session.state()).toMatchObject({
      zoom: 0.25,
      settings: { panes: { filters: { visible: false }, pageNavigation: { visible: false } } },
    })
    expect(server.calls).toEqual([])
  })

  test('the session keeps the frame and shows the problem when the data call fails', async () => {
    const { send, server, events, view } = await loaded()
    server.fail = true
    await send('POST', '/report/refresh')
    await settle()
    expect(view.failPage).toHaveBeenCalledOnce()
    expect(events.at(-1)).toMatchObject({ event: 'error', body: { message: 'InternalError', level: 3 } })
  })
})

test('the report session returns 501 for an unknown call', async () => {
  expect((await open().send('POST', '/report/switchMode/edit')).status).toBe(501)
})
