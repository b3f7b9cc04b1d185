import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { age, basic, open, target } from '../test/reader-fixture.ts'

/* Slicers, themes, custom layouts and exported data: messages and the reader's state. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('slicers', () => {
  const address = (name: string) => `/report/pages/geral/visuals/${name}/slicer`

  test('the page reads and sets a slicer, which filters it', async () => {
    const { send, since } = await open()
    expect(await send('GET', address('operadoras'))).toEqual({
      status: 200,
      body: { filters: [], targets: [target] },
    })
    await since()
    expect((await send('PUT', address('operadoras'), { filters: [basic('CNU')] })).status).toBe(202)
    const { events, asked } = await since()
    expect(events.map(([name]) => name)).toEqual(['filtersApplied', 'renderingStarted', 'rendered'])
    expect(asked).toMatchObject([{ filters: [{ values: ['autor'] }, { values: ['CNU'] }] }])
    expect((await send('GET', address('operadoras'))).body).toMatchObject({ filters: [{ values: ['CNU'] }] })
  })

  test('the report applies the slicers of a load message by visual name or by column', async () => {
    const state = { filters: [basic('CNU')] }
    for (const selector of [{ visualName: 'operadoras' }, { target }]) {
      const { session } = await open({ slicers: [{ selector, state }] })
      expect(session.state().slicers).toMatchObject({ 'geral/operadoras': [{ values: ['CNU'] }] })
    }
    const { events } = await (await open({ slicers: [{ selector: { visualName: 'x' }, state }] })).since()
    expect(events).toMatchObject([['error', { message: 'PowerBIEntityNotFound' }]])
  })

  test.each([
    ['vidas', [basic('CNU')], 400, 'InvalidVisual'],
    ['nenhum', [], 404, 'PowerBIEntityNotFound'],
    ['operadoras', [basic('19-23', age)], 400, 'InvalidFilter'],
    ['uma', [{ ...basic('a', age), values: ['a', 'b'] }], 400, 'InvalidFilter'],
    ['operadoras', 'CNU', 400, 'InvalidFilter'],
  ])('slicer %s refuses %j', async (name, filters, status, message) => {
    const { send } = await open()
    expect(await send('PUT', address(name), { filters })).toMatchObject({ status, body: { message } })
  })
})

describe('PUT /report/theme', () => {
  test('PUT /report/theme replaces the default theme until it is reset', async () => {
    const { send, view, since } = await open()
    await since()
    const house = (await send('GET', '/report/theme')).body
    expect(house).toMatchObject({ themeJson: { name: 'BI Manager', background: '#ffffff' } })
    const themeJson = {
      name: 'Empresa',
      dataColors: ['#FF0000', '#0f0'],
      visualStyles: {},
      background: '#111',
    }
    expect((await send('PUT', '/report/theme', { themeJson })).status).toBe(202)
    expect((await send('GET', '/report/theme')).body).toMatchObject({
      themeJson: {
        name: 'Empresa',
        dataColors: ['#ff0000', '#00ff00'],
        background: '#111111',
        foreground: '#14212b',
      },
    })
    expect(view.showReport).toHaveBeenLastCalledWith(
      expect.objectContaining({ theme: expect.objectContaining({ name: 'Empresa' }) }),
      false,
    )
    await send('PUT', '/report/theme', {})
    expect((await send('GET', '/report/theme')).body).toEqual(house)
    // Colours are not data: no rows are fetched or drawn.
    expect(await since()).toEqual({ events: [], asked: [] })
  })

  test('PUT /report/theme applies the theme of a load message', async () => {
    const { session } = await open({ theme: { themeJson: { dataColors: ['#123456'] } } })
    expect(session.state().theme?.dataColors).toEqual(['#123456'])
  })

  test.each([
    null,
    { themeJson: 'x' },
    { themeJson: { dataColors: [] } },
    { themeJson: { dataColors: ['red'] } },
    { themeJson: { background: 'url(//x)' } },
    { themeJson: { foreground: '#12345' } },
  ])('PUT /report/theme refuses %j', async (theme) => {
    const { send, session } = await open()
    expect(await send('PUT', '/report/theme', theme)).toMatchObject({
      status: 400,
      body: { message: 'InvalidParameters' },
    })
    expect(session.state().theme).toBeUndefined()
  })
})

describe('custom layouts', () => {
  const layout = (name: string, change: object) => ({
    layoutType: 1,
    customLayout: { pagesLayout: { geral: { visualsLayout: { [name]: change } } } },
  })
  const placeOf = async (send: Awaited<ReturnType<typeof open>>['send'], name: string) => {
    const { body } = await send('GET', '/report/pages/geral/visuals')
    return (body as { name: string; layout: object }[]).find((one) => one.name === name)?.layout
  }

  test('a custom layout merges the changes of several messages', async () => {
    const { send } = await open()
    await send('PATCH', '/report/settings', layout('custo', { x: 5, y: 6, z: 1 }))
    await send('PATCH', '/report/settings', layout('vidas', { displayState: { mode: 1 } }))
    await send('PATCH', '/report/settings', layout('custo', { width: 90, height: 80 }))
    expect(await placeOf(send, 'custo')).toMatchObject({ x: 5, y: 6, width: 90, height: 80 })
    expect(await placeOf(send, 'vidas')).toMatchObject({ x: 0, displayState: { mode: 1 } })
  })

  test('a custom layout refuses invalid positions and sizes', async () => {
    const { send } = await open()
    for (const change of [{ x: -1 }, { width: Number.NaN }, { height: '80' }, null]) {
      expect((await send('PATCH', '/report/settings', layout('custo', change as object))).status).toBe(400)
    }
    expect(await placeOf(send, 'custo')).toMatchObject({ x: 0, width: 300 })
  })

  test('the report refuses a page layout that is null', async () => {
    const { send } = await open()
    const settings = { customLayout: { pagesLayout: { geral: null } } }
    expect(await send('PATCH', '/report/settings', settings)).toMatchObject({
      status: 400,
      body: { message: 'InvalidParameters' },
    })
  })
})

describe('POST …/exportData', () => {
  const address = (name: string, page = 'geral') => `/report/pages/${page}/visuals/${name}/exportData`
  const heading = 'nome,"Vidas, ao todo"\r\n'

  test('POST …/exportData returns the filtered rows of the visual as CSV that is safe for a spreadsheet', async () => {
    const { send, since } = await open()
    await since()
    const { status, body } = await send('POST', address('vidas'), { exportDataType: 0 })
    expect([status, body]).toEqual([200, { data: `${heading}BRADESCO,12.5\r\n'=1+1,3\r\n"a,""b""",\r\n` }])
    expect(await since()).toMatchObject({ events: [], asked: [{ visuals: ['vidas'], filters: [{}] }] })
    expect((await send('POST', address('vidas'), { rows: 1 })).body).toEqual({
      data: `${heading}BRADESCO,12.5\r\n`,
    })
    expect((await send('POST', address('idade', 'perfil'), {})).status).toBe(200)
  })

  test('POST …/exportData uses the label of the open hierarchy level as the heading', async () => {
    const { send, session } = await open()
    const heading = async () => (await send('POST', address('custo'), {})).body as { data: string }
    expect((await heading()).data.split('\r\n')[0]).toBe('Ano,n')
    session.drillTo('custo', [2024])
    expect((await heading()).data.split('\r\n')[0]).toBe('Mês,n')
  })

  test.each([
    ['vidas', { exportDataType: 1 }, 403, 'PowerBINotAuthorizedException'],
    ['vidas', { rows: 30_001 }, 400, 'InvalidParameters'],
    ['vidas', { rows: 0 }, 400, 'InvalidParameters'],
    ['nenhum', {}, 404, 'PowerBIEntityNotFound'],
    ['operadoras', {}, 400, 'InvalidVisual'],
  ])('POST …/exportData refuses to export %s with %j', async (name, body, status, message) => {
    const { send } = await open()
    expect(await send('POST', address(name), body)).toMatchObject({ status, body: { message } })
  })
})

test('clearSelectedVisuals clears the selection', async () => {
  const { send, session, since } = await open()
  session.select({ visual: 'vidas', filters: [basic('a')], value: 'a' })
  await since()
  expect((await send('POST', '/report/clearSelectedVisuals/false')).status).toBe(202)
  expect(session.state().selection).toBeUndefined()
  expect((await since()).asked).toMatchObject([{ visuals: ['custo'] }])
})

test('only a refresh fetches the values of slicers and filters again', async () => {
  const { send, view, since } = await open()
  await send('PUT', '/report/filters', [basic('CNU')])
  await send('PUT', '/report/pages/active', { name: 'perfil' })
  await since()
  expect(view.refreshValues).not.toHaveBeenCalled()
  expect((await send('POST', '/report/refresh')).status).toBe(202)
  expect(view.refreshValues).toHaveBeenCalledOnce()
  expect((await since()).asked).toMatchObject([{ page: 'perfil' }])
})
