import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { filterOn, loaded, open, report, settle } from '../test/session-fixture.ts'

beforeEach(() => vi.useFakeTimers())
afterEach(() => {
  vi.useRealTimers()
  vi.restoreAllMocks()
})

describe('a republished report', () => {
  const [first, second] = report.pages
  const republished = { ...report, name: 'Sinistralidade 2', pages: first ? [first] : [] }

  test('a republished report shows its first page and says so when the open page no longer exists', async () => {
    const { send, server, events, view, session } = await loaded('good', { pageName: 'perfil' })
    session.setFilters({}, [filterOn('CNU')])
    await settle()
    events.length = 0
    server.report = republished
    await send('POST', '/report/refresh')
    await settle()
    expect(view.showMessage.mock.calls).toEqual([
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

  test('a republished report shows its first page when the reader opens a tab of a removed page', async () => {
    const { server, session, view } = await loaded('good', { pageName: 'geral' })
    server.report = republished
    session.setPage('perfil')
    await settle()
    expect([session.state().activePage, view.showMessage.mock.calls.length]).toEqual(['geral', 1])
  })

  test('a republished report drops filters over removed columns', async () => {
    const { send, server, session } = await loaded('good', { pageName: 'perfil' })
    session.setFilters({}, [filterOn('CNU'), filterOn('feminino', 'sexo')])
    await settle()
    server.report = { ...republished, columns: { Sinistralidade: ['operadora'] } }
    await send('POST', '/report/refresh')
    await settle()
    expect(session.state().reportFilters).toEqual([filterOn('CNU')])
  })

  test('a republished report keeps a filter whose target differs in case, as an author may write it', async () => {
    const { send, server, session } = await loaded('good', { pageName: 'perfil' })
    const own = { ...filterOn('CNU'), target: { table: 'sinistralidade', column: 'OPERADORA' } }
    session.setFilters({}, [own, filterOn('feminino', 'sexo')])
    await settle()
    server.report = { ...republished, columns: { Sinistralidade: ['operadora'] } }
    await send('POST', '/report/refresh')
    await settle()
    expect(session.state().reportFilters).toEqual([own])
  })

  test('a republished report keeps the frame and shows the problem when the report no longer exists', async () => {
    const { send, server, events, view } = await loaded('good', { pageName: 'perfil' })
    server.report = undefined
    await send('POST', '/report/refresh')
    await settle()
    expect(view.failPage.mock.lastCall).toMatchObject([{ body: { message: 'PowerBIEntityNotFound' } }])
    expect(events.at(-1)).toMatchObject({ event: 'error', body: { message: 'PowerBIEntityNotFound' } })
    expect(view.showMessage).not.toHaveBeenCalled()
    expect(second?.name).toBe('perfil')
  })

  test('a republished report accepts a token that was renewed during the reload', async () => {
    const { send, server } = await loaded('good', { pageName: 'perfil' })
    server.holdReport = true
    const renewal = send('POST', '/report/token', 'next')
    server.holdReport = false
    server.report = republished
    await send('POST', '/report/refresh')
    await settle()
    for (const release of server.waiting.splice(0)) release()
    expect((await renewal).status).toBe(202)
    await send('POST', '/report/refresh')
    await settle()
    expect(server.calls.at(-1)?.token).toBe('next')
  })
})

describe('the embed token', () => {
  test('the embed token emits one TokenExpired error and keeps the page when it expires', async () => {
    const { events, view } = await loaded('short')
    await settle(60_000)
    expect(events).toMatchObject([{ event: 'error', body: { message: 'TokenExpired' } }])
    expect(view.failPage).not.toHaveBeenCalled()
  })

  test('the embed token is renewed in time without an event, a data call or a drawing', async () => {
    const { send, names, server, view } = await loaded('short')
    view.drawPage.mockClear()
    expect((await send('POST', '/report/token', 'next')).status).toBe(202)
    await settle(60_000)
    expect([names(), server.calls, view.drawPage.mock.calls]).toEqual([[], [], []])
  })

  test('the embed token stays in use when the new one is refused', async () => {
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

  test('the embed token draws the waiting page when it is renewed', async () => {
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

  test('the embed token makes the load fail without `loaded` when it had expired before', async () => {
    const { load, events } = open()
    await settle(2000)
    await load('short')
    await settle()
    expect(events).toMatchObject([{ event: 'error', body: { message: 'TokenExpired', level: 6 } }])
  })

  test.each(['next', 'forged'])(
    '%s, verified only after a newer load, does not affect that load',
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

  test('the embed token must be a string', async () => {
    const { send } = await loaded('good')
    expect((await send('POST', '/report/token', { token: 'good' })).status).toBe(400)
  })
})
