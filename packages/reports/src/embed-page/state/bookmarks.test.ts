import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { LONGEST_STATE } from '../../wire/wire-names.ts'
import { age, basic, open, report, target } from '../test/reader-fixture.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const capture = async (send: Awaited<ReturnType<typeof open>>['send'], options = {}) => {
  const { status, body } = await send('POST', '/report/bookmarks/capture', { options })
  expect(status).toBe(200)
  return body as { name: string; displayName: string; state: string }
}
const readable = (state: string) =>
  JSON.parse(
    new TextDecoder().decode(
      Uint8Array.from(atob(state.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0)),
    ),
  )
const damaged = (change: object, state: string) =>
  btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify({ ...readable(state), ...change }))))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')

describe('report bookmarks', () => {
  test("the session lists the author's bookmarks, and applies one by name with its page and its filters only", async () => {
    const { send, since, session } = await open()
    const { body } = await send('GET', '/report/bookmarks')
    expect(body).toMatchObject([
      { name: 'so_cnu', displayName: 'Só CNU' },
      { name: 'todos', displayName: 'Todos' },
    ])
    session.setSlicer({ page: 'geral', visual: 'operadoras' }, [basic('SANTA_CASA')])
    await since()
    expect(await send('POST', '/report/bookmarks/applyByName', { name: 'so_cnu' })).toEqual({
      status: 202,
      body: {},
    })
    const { events, asked } = await since()
    expect(events.map(([name]) => name)).toEqual([
      'pageChanged',
      'bookmarkApplied',
      'renderingStarted',
      'rendered',
    ])
    expect(events[1]).toEqual(['bookmarkApplied', { bookmarkName: 'so_cnu' }])
    expect(asked).toMatchObject([{ page: 'perfil', filters: [{ values: ['CNU'] }] }])
    await send('POST', '/report/bookmarks/applyByName', { name: 'todos' })
    expect((await since()).asked).toMatchObject([{ page: 'geral', filters: [] }])
  })

  test('the session restores a captured bookmark after the reader changed everything', async () => {
    const { send, since, session } = await open()
    session.setFilters({ page: 'geral' }, [basic('19-23', age)])
    session.setVisualFilters({ page: 'geral', visual: 'vidas' }, [basic('24-28', age)])
    session.setSlicer({ page: 'geral', visual: 'operadoras' }, [basic('São José')])
    session.drillTo('custo', [2024])
    session.select({ visual: 'vidas', filters: [basic('29-33', age)], value: '29-33' })
    await since()
    const before = session.state()
    const { state, displayName } = await capture(send)
    expect([displayName, state.length < 2000]).toEqual(['Visão geral', true])
    expect(state).toMatch(/^[\w-]+$/)

    await send('DELETE', '/report/userState')
    session.setPage('perfil')
    await since()
    expect((await send('POST', '/report/bookmarks/applyState', { state })).status).toBe(202)
    expect(session.state()).toEqual(before)
    expect((await since()).asked).toMatchObject([
      { page: 'geral', drill: { custo: [2024] }, selection: { visual: 'vidas' } },
      { visuals: ['vidas'], filters: [{ values: ['autor'] }, {}, { values: ['São José'] }, {}] },
    ])
  })

  test('the session restores one page, or all pages when it was captured with allPages', async () => {
    const { send, session } = await open()
    const one = await capture(send)
    const all = await capture(send, { allPages: true })
    session.setFilters({ page: 'perfil' }, [basic('CNU')])
    await send('POST', '/report/bookmarks/applyState', { state: one.state })
    expect(session.state().pageFilters.perfil).toHaveLength(1)
    await send('POST', '/report/bookmarks/applyState', { state: all.state })
    expect(session.state().pageFilters.perfil).toEqual([])
  })

  test('the session stores neither rows nor the token in a bookmark state', async () => {
    const { send } = await open()
    const text = JSON.stringify(readable((await capture(send, { allPages: true })).state))
    expect(text).toContain('Sinistralidade')
    expect(text).not.toMatch(/secret-token|BRADESCO|12\.5/)
  })

  test('the session applies the bookmark of a load message before its page and filters', async () => {
    const { since, session } = await open({ bookmark: { name: 'so_cnu' }, pageName: 'geral' })
    expect((await since()).asked).toMatchObject([{ page: 'geral', filters: [{ values: ['CNU'] }] }])
    const state = session.captureBookmark().state
    const again = await open({ bookmark: { state }, filters: [basic('SANTA_CASA')] })
    expect(again.session.state().reportFilters).toMatchObject([{ values: ['SANTA_CASA'] }])
    const { events } = await (await open({ bookmark: { name: 'nenhum' } })).since()
    expect(events).toMatchObject([['error', { message: 'PowerBIEntityNotFound', level: 6 }]])
  })

  test.each<[string, (state: string) => unknown]>([
    ['a state that is not text', () => 5],
    ['an empty state', () => ''],
    ['a state that is not base64url', () => 'á='],
    ['a state that is cut short', (state) => state.slice(0, -9)],
    ['a state that is too long', () => 'a'.repeat(LONGEST_STATE + 1)],
    ['a state of another version', (state) => damaged({ v: 2 }, state)],
    ['a state of another report', (state) => damaged({ report: 'r2' }, state)],
    ['a state with an unknown page', (state) => damaged({ page: 'x' }, state)],
    ['a state with an unknown visual', (state) => damaged({ visualFilters: { 'geral/x': [] } }, state)],
    [
      'a state with an unknown column',
      (state) => damaged({ reportFilters: [basic('a', { ...target, column: 'x' })] }, state),
    ],
    [
      'a state with a slicer that does not exist',
      (state) => damaged({ slicers: { 'geral/vidas': [] } }, state),
    ],
    [
      'a state with a hierarchy that does not exist',
      (state) => damaged({ drill: { 'geral/vidas': [1] } }, state),
    ],
    [
      'a state with too deep a hierarchy path',
      (state) => damaged({ drill: { 'geral/custo': [1, 2] } }, state),
    ],
    [
      'a state with a selection in an unknown visual',
      (state) => damaged({ selection: { visual: 'x', value: 1, filters: [] } }, state),
    ],
    [
      'a state with more filters than one call may carry',
      (state) => damaged({ reportFilters: Array(101).fill(basic('a')) }, state),
    ],
  ])('the session refuses %s and changes nothing', async (_what, change) => {
    const { send, since, session } = await open()
    const { state } = await capture(send)
    await since()
    const before = session.state()
    const { status, body } = await send('POST', '/report/bookmarks/applyState', { state: change(state) })
    expect([status, body]).toMatchObject([
      400,
      { message: 'InvalidBookmarkState', detailedMessage: expect.stringMatching(/\.$/) },
    ])
    expect([session.state(), (await since()).events]).toEqual([before, []])
  })

  test('the session returns 404 when the name is unknown', async () => {
    const { send } = await open()
    const { status, body } = await send('POST', '/report/bookmarks/applyByName', { name: 'nenhum' })
    expect([status, body]).toMatchObject([404, { message: 'PowerBIEntityNotFound' }])
  })

  test('the session refuses to capture a state that is too large', async () => {
    const { send, session } = await open()
    const values = Array.from({ length: 9000 }, (_, index) => `v${index}`)
    session.setFilters({}, [{ target, filterType: 1, operator: 'In', values }])
    const { status, body } = await send('POST', '/report/bookmarks/capture', {})
    expect([status, body]).toMatchObject([400, { message: 'BookmarkTooLarge' }])
  })

  test("the session starts and stops presenting the author's bookmarks", async () => {
    const { send, view } = await open()
    expect((await send('POST', '/report/bookmarks/play', { playMode: 1 })).status).toBe(202)
    expect(view.presentBookmarks).toHaveBeenLastCalledWith(report.bookmarks)
    await send('POST', '/report/bookmarks/play', { playMode: 0 })
    expect(view.presentBookmarks).toHaveBeenLastCalledWith([])
    expect((await send('POST', '/report/bookmarks/play', { playMode: 2 })).status).toBe(400)
    const without = await open({}, { ...report, bookmarks: [] })
    expect((await without.send('POST', '/report/bookmarks/play', { playMode: 1 })).status).toBe(400)
  })
})
