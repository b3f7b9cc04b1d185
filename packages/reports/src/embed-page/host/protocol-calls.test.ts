import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { basic, open, report, target } from '../test/reader-fixture.ts'

/* Sorting, underlying data, the user's state, refused types and things that do not exist. */

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('the embed page exports the rows behind a visual where the author allows it', async () => {
  const { send, since } = await open({}, { ...report, underlyingData: true })
  await since()
  const address = '/report/pages/geral/visuals/vidas/exportData'
  const { status, body } = await send('POST', address, { exportDataType: 1, rows: 20 })
  // The columns of the model have no labels.
  const data = ['nome,n', 'BRADESCO,12.5', "'=1+1,3", '"a,""b""",', ''].join('\r\n')
  expect([status, body]).toEqual([200, { data }])
  expect((await since()).asked).toMatchObject([{ visuals: ['vidas'], underlying: 20 }])
  await send('POST', address, { exportDataType: 1 })
  expect((await since()).asked).toMatchObject([{ underlying: 30_000 }])
  expect((await send('POST', address, { exportDataType: 1, rows: 30_001 })).status).toBe(400)
})

test('the embed page says how many texts of exported rows are cut', async () => {
  const { send } = await open({}, { ...report, underlyingData: true }, { cutTexts: 2 })
  const address = '/report/pages/geral/visuals/vidas/exportData'
  for (const exportDataType of [0, 1]) {
    const { body } = await send('POST', address, { exportDataType, rows: 20 })
    expect(body).toEqual({ data: expect.stringContaining('BRADESCO'), '@biManager.cutTexts': 2 })
  }
})

test('the embed page takes the colour scheme of the portal, also before a report is loaded', async () => {
  const { send } = await open()
  const shown = () => document.documentElement.dataset.colorScheme
  expect((await send('PUT', '/report/colorScheme', 'dark')).status).toBe(202)
  expect(shown()).toBe('dark')
  for (const body of ['DARK', '', null, { scheme: 'light' }, 'auto'])
    expect((await send('PUT', '/report/colorScheme', body)).status).toBe(400)
  expect(shown()).toBe('dark')
  delete document.documentElement.dataset.colorScheme
})

describe('PUT …/sortBy', () => {
  const address = (name: string, page = 'geral') => `/report/pages/${page}/visuals/${name}/sortBy`
  const by = (column: string, direction: unknown = 2, table = 'Sinistralidade') => ({
    orderBy: { table, column },
    direction,
  })

  test('PUT …/sortBy sorts a visual and its export, until the filters are reset', async () => {
    const { send, since } = await open()
    await since()
    expect((await send('PUT', address('vidas'), by('n'))).status).toBe(202)
    const { events, asked } = await since()
    expect(events.map(([name]) => name)).toEqual(['renderingStarted', 'rendered'])
    const sort = { vidas: { column: 'n', descending: true } }
    expect(asked).toMatchObject([{ visuals: ['vidas'], sort }])
    await send('POST', '/report/pages/geral/visuals/vidas/exportData', {})
    expect((await since()).asked).toMatchObject([{ sort }])
    await send('DELETE', '/report/userState')
    expect((await since()).asked[0]).not.toHaveProperty('sort')
  })

  test.each<[string, object, string, object]>([
    ['the name of a result column', { orderBy: { table: 'vidas', measure: 'N' }, direction: 1 }, 'n', {}],
    ['its heading', { orderBy: { table: 'x', measure: 'Vidas, ao todo' }, direction: 1 }, 'n', {}],
    [
      'the column of the model that it shows',
      by('operadora', 1),
      'nome',
      { select: { target, column: 'nome' } },
    ],
  ])('PUT …/sortBy finds the column by %s', async (_what, body, column, more) => {
    const [geral, ...others] = report.pages
    if (!geral) throw new Error('no page')
    const visuals = geral.visuals.map((visual) => (visual.name === 'vidas' ? { ...visual, ...more } : visual))
    const { send, session } = await open({}, { ...report, pages: [{ ...geral, visuals }, ...others] })
    expect((await send('PUT', address('vidas'), body)).status).toBe(202)
    expect(session.state().sorts).toEqual({ 'geral/vidas': { column, descending: false } })
  })

  test('PUT …/sortBy sorts the open level of a hierarchy', async () => {
    const { send, session } = await open()
    session.drillTo('custo', [2024])
    expect((await send('PUT', address('custo'), by('ano'))).status).toBe(400)
    expect((await send('PUT', address('custo'), by('mes'))).status).toBe(202)
    expect(session.state().sorts).toEqual({ 'geral/custo': { column: 'nivel', descending: true } })
  })

  test('PUT …/sortBy survives in a bookmark', async () => {
    const { send, session } = await open()
    await send('PUT', address('vidas'), by('n'))
    const { body } = await send('POST', '/report/bookmarks/capture', {})
    const { sorts } = session.state()
    await send('DELETE', '/report/userState')
    expect(session.state().sorts).toEqual({})
    await send('POST', '/report/bookmarks/applyState', body)
    expect(session.state().sorts).toEqual(sorts)
    expect(Object.keys(sorts)).toEqual(['geral/vidas'])
  })

  test.each<[string, object | null, number, string]>([
    ['vidas', by('nada'), 400, 'InvalidParameters'],
    ['vidas', by('n', 0), 400, 'InvalidParameters'],
    ['vidas', { direction: 1 }, 400, 'InvalidParameters'],
    ['vidas', null, 400, 'InvalidParameters'],
    ['operadoras', by('n'), 400, 'InvalidVisual'],
    ['nenhum', by('n'), 404, 'PowerBIEntityNotFound'],
  ])('PUT …/sortBy refuses to sort %s by %j', async (name, body, status, message) => {
    const { send, session } = await open()
    expect(await send('PUT', address(name), body)).toMatchObject({ status, body: { message } })
    expect(session.state().sorts).toEqual({})
  })
})

describe('GET /report/isUserStateApplied', () => {
  test('GET /report/isUserStateApplied tells whether there is something to reset, if the embedder uses persistent filters', async () => {
    const { send, session } = await open({ settings: { persistentFiltersEnabled: true } })
    const isApplied = async () => (await send('GET', '/report/isUserStateApplied')).body
    const changes: (() => unknown)[] = [
      () => session.setFilters({}, [basic('CNU')]),
      () => session.setFilters({ page: 'perfil' }, [basic('CNU')]),
      () => session.setVisualFilters({ page: 'geral', visual: 'vidas' }, [basic('CNU')]),
      () => session.setSlicer({ page: 'geral', visual: 'operadoras' }, [basic('CNU')]),
      () => session.drillTo('custo', [2024]),
      () => session.select({ visual: 'vidas', filters: [basic('a')], value: 'a' }),
    ]
    for (const change of changes) {
      expect(await isApplied()).toBe(false)
      change()
      expect(await isApplied()).toBe(true)
      await send('DELETE', '/report/userState')
    }
    session.setPage('perfil')
    expect(await isApplied()).toBe(false)
  })

  test('GET /report/isUserStateApplied is false without persistent filters, as in Power BI', async () => {
    const { send, session } = await open()
    session.setFilters({}, [basic('CNU')])
    expect(await send('GET', '/report/isUserStateApplied')).toEqual({ status: 200, body: false })
  })
})

test('the embed page switches to viewing, the only mode', async () => {
  const { send } = await open()
  expect((await send('POST', '/report/switchMode/view')).status).toBe(202)
  expect((await send('POST', '/report/switchMode/edit')).status).toBe(501)
})

test.each<[string, string, unknown]>([
  ['GET', '/report/pages/nada/visuals', null],
  ['PUT', '/report/pages/active', { name: 'nada' }],
  ['GET', '/report/pages/nada/filters', null],
  ['GET', '/report/pages/geral/visuals/nada/filters', null],
  ['PUT', '/report/pages/geral/visuals/nada/filters', []],
  ['POST', '/report/pages/geral/visuals/nada/exportData', {}],
  ['PUT', '/report/pages/geral/visuals/nada/sortBy', {}],
  ['GET', '/report/pages/geral/visuals/nada/slicer', null],
])('%s %s is refused, and emits error', async (method, url, body) => {
  const { send, since } = await open()
  await since()
  const refusal = await send(method, url, body)
  expect(refusal).toMatchObject({ status: 404, body: { message: 'PowerBIEntityNotFound', level: 3 } })
  expect((await since()).events).toEqual([['error', refusal.body]])
})

describe('one embedded visual', () => {
  const single = (visualName: unknown, pageName: unknown = 'geral') => ({
    type: 'visual',
    visualName,
    pageName,
    settings: {
      layoutType: 1,
      customLayout: {
        pageSize: { type: 4, width: 400, height: 300 },
        pagesLayout: {
          geral: {
            defaultLayout: { displayState: { mode: 1 } },
            visualsLayout: { vidas: { x: 1, y: 1, width: 400, height: 300, displayState: { mode: 0 } } },
          },
        },
      },
    },
  })

  test('one embedded visual hides all others', async () => {
    const { send } = await open(single('vidas'))
    const { body } = await send('GET', '/report/pages/geral/visuals')
    const listed = body as { name: string; layout: { displayState: { mode: number } } }[]
    expect(listed.map(({ name, layout }) => [name, layout.displayState.mode])).toEqual([
      ['custo', 1],
      ['vidas', 0],
      ['operadoras', 1],
      ['uma', 1],
    ])
  })

  test.each([
    ['nada', 'geral'],
    ['vidas', 'nada'],
    [undefined, 'geral'],
  ])(
    'one embedded visual emits a fatal error when visual %s of page %s does not exist',
    async (visualName, pageName) => {
      const { since, view } = await open(single(visualName, pageName))
      expect((await since()).events).toMatchObject([
        ['error', { message: 'PowerBIEntityNotFound', level: 6 }],
      ])
      expect(view.showFailure).toHaveBeenCalledOnce()
    },
  )
})

test.each(['/dashboard/load', '/tile/load', '/qna/load', '/report/create', '/quickcreate'])(
  '%s is refused with an error event, and the reader sees why',
  async (url) => {
    const { send, since, view } = await open()
    await since()
    const { status, body } = await send('POST', url, { accessToken: 'x' })
    expect([status, body]).toMatchObject([501, { message: 'NotImplemented' }])
    expect((await since()).events).toMatchObject([['error', { message: 'NotImplemented', level: 6 }]])
    expect(view.showFailure).toHaveBeenCalledOnce()
    expect((await send('GET', '/report/pages')).status).toBe(409)
  },
)
