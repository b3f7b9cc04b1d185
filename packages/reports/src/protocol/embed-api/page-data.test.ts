import { describe, expect, test } from 'vitest'
import { askingOf, CUBE, equal, filesOf, levels, values } from '../../../test/claims-page.ts'
import { CLAIMS, claimsDataset, REPORT, serviceWith, visual } from '../../../test/fixture.ts'
import { cpuSeconds } from '../../../test/process-figures.ts'
import { CallerLeft } from '../../engine/queries/query-scheduler.ts'
import type { PageData } from '../../wire/embed-contract.ts'

test('a hierarchy returns one row per value of its level, below the opened values, of any type', async () => {
  const drill = { levels, values, order: 'total DESC -- o maior primeiro' }
  const { ask, data } = await askingOf([visual('h', CUBE, { type: 'bar', drill })])
  const at = async (...opened: unknown[]) => (await data({ drill: { h: opened } })).visuals.h?.rows
  expect((await data()).visuals.h).toEqual({
    columns: ['nivel', 'total', 'n'],
    kinds: ['text', 'number', 'integer'],
    rows: [
      ['CNU', 350, 2],
      ['BRADESCO', 300.5, 2],
      ['SANTA_CASA', 75.25, 1],
    ],
    truncated: false,
  })
  expect(await at('CNU')).toEqual([
    ['2024-03-15', 300, 1],
    ['2024-03-20', 50, 1],
  ])
  expect(await at('CNU', '2024-03-15')).toEqual([[true, 300, 1]])
  expect(await at('CNU', '2024-03-15', true)).toEqual([[3, 300, 1]])
  // A blank can be opened like any other value.
  expect(await at('SANTA_CASA')).toEqual([[null, 75.25, 1]])
  expect(await at('SANTA_CASA', null)).toEqual([[false, 75.25, 1]])
  expect(await at("x' OR true --")).toEqual([])
  const tooDeep = await ask({ drill: { h: ['CNU', '2024-03-15', true, 3] } })
  expect([tooDeep.statusCode, tooDeep.json().error.code]).toEqual([400, 'InvalidRequest'])
})

test('a level without an order is sorted alphabetically, blanks last', async () => {
  const drill = { levels: [levels[1], levels[0]], values: { n: 'count(*)' } }
  const { data } = await askingOf([visual('h', CUBE, { type: 'line', drill })])
  expect((await data()).visuals.h?.rows.map(([day]) => day)).toEqual([
    '2024-01-05',
    '2024-02-10',
    '2024-03-15',
    '2024-03-20',
    null,
  ])
})

test('a matrix has subtotals and totals, and the level of each row', async () => {
  const matrix = { rows: ['operadora', 'pago'], columns: ['sexo'], values: { media: 'avg(valor)' } }
  const query = "SELECT operadora, pago, lower(coalesce(sexo, '?')) AS sexo, valor FROM Claims"
  const { data } = await askingOf([visual('m', query, { type: 'matrix', matrix })])
  const answer = (await data()).visuals.m
  expect(answer?.columns).toEqual(['operadora', 'pago', 'sexo', 'media'])
  const rows = answer?.rows.map((row, index) => [...(answer.levels?.[index] ?? []), ...row])
  expect(rows).toEqual([
    [2, 1, 'BRADESCO', false, 'feminino', 200],
    [2, 0, 'BRADESCO', false, null, 200],
    [2, 1, 'BRADESCO', true, 'masculino', 100.5],
    [2, 0, 'BRADESCO', true, null, 100.5],
    [1, 1, 'BRADESCO', null, 'feminino', 200],
    [1, 1, 'BRADESCO', null, 'masculino', 100.5],
    [1, 0, 'BRADESCO', null, null, 150.25],
    [2, 1, 'CNU', true, '?', 50],
    [2, 1, 'CNU', true, 'masculino', 300],
    [2, 0, 'CNU', true, null, 175],
    [1, 1, 'CNU', null, '?', 50],
    [1, 1, 'CNU', null, 'masculino', 300],
    [1, 0, 'CNU', null, null, 175],
    [2, 1, 'SANTA_CASA', false, 'feminino', 75.25],
    [2, 0, 'SANTA_CASA', false, null, 75.25],
    [1, 1, 'SANTA_CASA', null, 'feminino', 75.25],
    [1, 0, 'SANTA_CASA', null, null, 75.25],
    [0, 1, null, null, '?', 50],
    [0, 1, null, null, 'feminino', 137.625],
    [0, 1, null, null, 'masculino', 200.25],
    [0, 0, null, null, null, 145.15],
  ])
})

test('a matrix of thousands of columns has all its cells and the totals, which come last', async () => {
  const matrix = { rows: ['id'], columns: ['k'], values: { n: 'sum(v)' } }
  const query = 'SELECT id, range AS k, 1 AS v FROM Claims, range(3000)'
  const { data } = await askingOf([visual('m', query, { type: 'matrix', matrix })])
  const { rows = [], truncated } = (await data()).visuals.m ?? {}
  expect([rows.length, truncated, rows.at(-1)]).toEqual([6 * 3001, false, [null, null, 15_000]])
})

test('a matrix without subtotals has only the pairs', async () => {
  const matrix = { rows: ['operadora'], values, subtotals: false }
  const { data } = await askingOf([visual('m', CUBE, { type: 'matrix', matrix })])
  const { m } = (await data()).visuals
  expect(m?.levels).toEqual([
    [1, 0],
    [1, 0],
    [1, 0],
  ])
})

test('a table has its sort order and its totals, which include rows beyond the limit', async () => {
  const { data } = await askingOf([
    visual('t', 'SELECT operadora, valor FROM Claims', {
      totals: { valor: 'sum(valor)' },
      sort: { column: 'valor', descending: true },
    }),
    visual('many', 'SELECT c.id, i.range AS i FROM Claims c, range(4000) i', { totals: { i: 'count(*)' } }),
  ])
  const { t, many } = (await data()).visuals
  expect(t?.totals).toEqual([null, 725.75])
  expect(t?.rows.map(([, valor]) => valor)).toEqual([300, 200, 100.5, 75.25, 50])
  expect([many?.rows.length, many?.truncated, many?.totals]).toEqual([10_000, true, [null, 20_000]])
  const none = (await data({ filters: [equal('operadora', 'NENHUMA')] })).visuals
  expect([none.t?.rows, none.t?.totals, none.many?.totals]).toEqual([[], [null, null], [null, 0]])
})

test('a selection filters only other visuals that respect it; only requested visuals are answered', async () => {
  const ids = 'SELECT id FROM Claims ORDER BY id'
  const { data } = await askingOf([
    visual('a', ids),
    visual('b', ids),
    visual('c', ids, { ignoresSelection: true }),
    { ...visual('s', ''), query: undefined, type: 'text', text: 'Oi' },
  ])
  const selection = { visual: 'a', filters: [equal('operadora', 'CNU')] }
  const found = async (more: object) =>
    Object.entries((await data(more)).visuals).map(([name, { rows }]) => `${name}${rows.flat().join('')}`)
  expect(await found({ selection })).toEqual(['a12345', 'b34', 'c12345'])
  expect(await found({ selection, filters: [equal('id', 1, 3)] })).toEqual(['a13', 'b3', 'c13'])
  expect(await found({ visuals: ['b', 's'] })).toEqual(['b12345'])
  expect(await found({ visuals: [] })).toEqual([])
  // A visual that no longer exists is skipped, and the others are answered.
  expect(await found({ visuals: ['x', 'b'] })).toEqual(['b12345'])
  expect(await found({ selection: { ...selection, visual: 'x' } })).toEqual(['a34', 'b34', 'c12345'])
  expect(await found({ drill: { x: [] } })).toEqual(['a12345', 'b12345', 'c12345'])
})

test('a visual that fails is reported in failures, and the others are answered', async () => {
  const { data } = await askingOf([
    visual('good', 'SELECT id FROM Claims ORDER BY id'),
    visual('bad', "SELECT CAST(operadora || 'x' AS INTEGER) AS n FROM Claims"),
  ])
  const { visuals, failures } = await data()
  expect(visuals.good?.rows).toHaveLength(5)
  expect(failures).toEqual({ bad: { code: 'QueryFailed', message: 'A consulta deste visual falhou.' } })
  expect((await data({ filters: [equal('operadora', 'NENHUMA')] })).failures).toEqual({})
})

test('a slow visual is reported in failures; a page without any answer in time fails', async () => {
  const slow =
    'SELECT count(*) AS n FROM Claims, range(100000) a(x), range(1000000) b(y) WHERE x * y % 7 = id'
  const { ask, data } = await askingOf([visual('slow', slow), visual('good', 'SELECT id FROM Claims')], {
    queryTimeoutMs: 1500,
  })
  // On a busy machine this takes its time too; afterwards its answer is cached.
  await expect.poll(async () => (await ask({ visuals: ['good'] })).statusCode, { timeout: 20_000 }).toBe(200)
  const { visuals, failures } = await data()
  expect(Object.keys(visuals)).toEqual(['good'])
  expect(failures).toEqual({ slow: { code: 'QueryTimeout', message: 'A consulta demorou demais.' } })
  const alone = await ask({ visuals: ['slow'] })
  expect([alone.statusCode, alone.json().error.code]).toEqual([504, 'QueryTimeout'])
})

test('the bounds of a column are its smallest and largest value', async () => {
  const { service, token } = await askingOf([visual('a', CUBE)])
  const bounds = async (column: string, as = token) =>
    (
      await service.embed(as, 'POST', `/reports/${REPORT}/values`, {
        target: { table: 'Claims', column },
        bounds: true,
      })
    ).json()
  expect(await bounds('dia')).toEqual({
    values: ['2024-01-05', '2024-03-20'],
    kind: 'date',
    truncated: false,
  })
  expect(await bounds('valor')).toEqual({ values: [50, 300], kind: 'number', truncated: false })
  const cnu = await service.embedToken(['cnu'])
  expect(await bounds('dia', cnu)).toEqual({
    values: ['2024-03-15', '2024-03-20'],
    kind: 'date',
    truncated: false,
  })
  const withoutRows = await service.embedToken(['por-dado'])
  expect(await bounds('dia', withoutRows)).toEqual({ values: [], kind: 'date', truncated: false })
})

test("a report's definition contains no SQL", async () => {
  const secret = (name: string) => `sum(valor) + 0 * ${name.length} /* segredo ${name} */`
  const { service, token } = await askingOf([
    visual('h', `${CUBE} -- segredo`, {
      type: 'bar',
      drill: { levels: levels.slice(0, 2), values: { total: secret('a') }, order: 'total /* segredo */' },
    }),
    visual('m', `${CUBE} -- segredo`, {
      type: 'matrix',
      matrix: { rows: ['operadora'], values: { total: secret('b') } },
    }),
    visual('t', `${CUBE} -- segredo`, {
      totals: { valor: secret('c') },
      conditional: { valor: { kind: 'bar' } },
    }),
  ])
  const answer = await service.embed(token, 'GET', `/reports/${REPORT}`)
  expect(answer.statusCode).toBe(200)
  expect(answer.body).not.toMatch(/segredo|SELECT|sum\(/)
  const [h, m, t] = answer.json().pages[0].visuals
  expect([h.drill.values, m.matrix.values, t.totals]).toEqual([['total'], ['total'], undefined])
})

describe('the database', () => {
  /** Two tables, so that a filter on one does not affect the other's visuals. */
  const files = {
    'datasets/claims/dataset.json': {
      ...claimsDataset,
      tables: { ...claimsDataset.tables, Days: { file: 'days.csv' } },
    },
    'datasets/claims/days.csv': 'dia,n\n2024-01-05,1\n2024-01-06,2\n',
    ...filesOf(
      [
        visual('claims', 'SELECT id FROM Claims ORDER BY id'),
        visual('days', 'SELECT n FROM Days WHERE dia < current_date ORDER BY n'),
      ],
      {},
    ),
  }
  async function counting(settings: object = {}) {
    const service = await serviceWith({ files, ...settings })
    const dataset = (await service.loaded).datasets.get(CLAIMS) ?? expect.fail('no dataset')
    const asked: string[] = []
    const { query } = dataset.database
    dataset.database.query = (text, ...rest) => {
      asked.push(/FROM Days/.test(text) ? 'days' : 'claims')
      return query(text, ...rest)
    }
    const ask = async (token: string, more: object) => {
      asked.length = 0
      const body = { page: 'Main', filters: [], ...more }
      const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, body)
      expect(answer.statusCode, answer.body).toBe(200)
      return asked.toSorted()
    }
    return { service, ask, asked }
  }

  test('the database is queried only for answers that are not cached', async () => {
    const { service, ask, asked } = await counting()
    const token = await service.embedToken(['todos'])
    // As a list of values sends it, and as a selection compares.
    const cnu = { filters: [{ ...equal('operadora', 'CNU'), matchCase: true }] }
    expect(await ask(token, {})).toEqual(['claims', 'days'])
    expect(await ask(token, {})).toEqual([])
    // A filter on another table does not change this visual.
    expect(await ask(token, cnu)).toEqual(['claims'])
    expect(await ask(token, {})).toEqual([])
    expect(await ask(token, { selection: { visual: 'claims', filters: cnu.filters } })).toEqual([])
    expect(await ask(token, { selection: { visual: 'days', filters: cnu.filters } })).toEqual([])
    // The order of filters does not matter.
    const two = [equal('id', 1, 2, 3), equal('operadora', 'CNU')]
    expect(await ask(token, { filters: two })).toEqual(['claims'])
    expect(await ask(token, { filters: two.toReversed() })).toEqual([])
    service.clock.now += 60_000
    // Only what reads the current date may have changed.
    expect(await ask(token, {})).toEqual(['days'])
    asked.length = 0
    await Promise.all([1, 2, 3].map(() => service.data(token, [equal('operadora', 'SANTA_CASA')])))
    expect(asked).toEqual(['claims'])
  })

  test('the database shares an answer among identities that see the same rows only', async () => {
    const { service, ask } = await counting()
    const as = (roles: string[], more: object = {}) => service.embedToken(roles, more)
    expect(await ask(await as(['cnu']), {})).toEqual(['claims', 'days'])
    expect(await ask(await as(['cnu'], { username: 'bia@x.br' }), {})).toEqual([])
    expect(await ask(await as(['bradesco']), {})).toEqual(['claims'])
    expect(await ask(await as(['por-usuario']), {})).toEqual(['claims'])
    expect(await ask(await as(['por-usuario'], { username: 'bia@x.br' }), {})).toEqual(['claims'])
    expect(await ask(await as(['por-dado'], { customData: 'CNU' }), {})).toEqual(['claims'])
    expect(await ask(await as(['por-dado'], { customData: 'BRADESCO' }), {})).toEqual(['claims'])
    const bia = await as(['por-usuario'], { username: 'bia@x.br' })
    const answer: PageData = (await service.data(bia)).json()
    expect(answer.visuals.claims?.rows).toEqual([[1], [2]])
  })

  test('the database stops a query when the client disconnects', async () => {
    const slow =
      'SELECT count(*) AS n FROM Claims, range(100000) a(x), range(1000000) b(y) WHERE x * y % 7 = id'
    const { service, token } = await askingOf([visual('slow', slow)], { queryTimeoutMs: 120_000 })
    await service.app.listen({ port: 0, host: 'localhost' })
    const address = service.app.server.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { database } = (await service.loaded).datasets.get(CLAIMS) ?? expect.fail('no dataset')
    const { query } = database
    const started = Promise.withResolvers<void>()
    const ended = Promise.withResolvers<unknown>()
    database.query = (...given) => {
      const work = query(...given)
      started.resolve()
      work.then(ended.resolve, ended.resolve)
      return work
    }
    const leaving = new AbortController()
    const asked = fetch(`http://localhost:${port}/embed-api/reports/${REPORT}/data`, {
      method: 'POST',
      headers: { authorization: `EmbedToken ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ page: 'Main', filters: [] }),
      signal: leaving.signal,
    })
    await started.promise
    leaving.abort()
    await expect(asked).rejects.toThrow()
    // The statement ended long before its timeout, and used no CPU afterwards.
    expect(await ended.promise).toBeInstanceOf(CallerLeft)
    const pid = service.databaseProcess.pid() ?? expect.fail('no process')
    const before = cpuSeconds(pid)
    await new Promise((resolve) => setTimeout(resolve, 300))
    expect(cpuSeconds(pid) - before).toBeLessThan(0.2)
  }, 60_000)
})

describe('sort', () => {
  const sorted = (column: string, descending = false) => ({ column, descending })

  test('sort orders the rows of a visual by one of its columns: numbers, texts in Portuguese, blanks last', async () => {
    const { data } = await askingOf([
      visual('sums', 'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1 ORDER BY 1'),
      visual('names', "SELECT * FROM (VALUES ('b'), ('Á'), (NULL), ('a')) AS t(nome)"),
    ])
    const rows = async (name: string, sort: object) =>
      (await data({ sort: { [name]: sort } })).visuals[name]?.rows.map(([first]) => first)
    expect(await rows('sums', sorted('total'))).toEqual(['SANTA_CASA', 'BRADESCO', 'CNU'])
    expect(await rows('sums', sorted('total', true))).toEqual(['CNU', 'BRADESCO', 'SANTA_CASA'])
    expect(await rows('names', sorted('nome'))).toEqual(['a', 'Á', 'b', null])
    expect(await rows('names', sorted('nome', true))).toEqual(['b', 'Á', 'a', null])
    expect((await data({ sort: { sums: sorted('total') } })).visuals).toMatchObject({
      sums: { sort: sorted('total') },
      names: { columns: ['nome'] },
    })
  })

  test('sort applies before the limit of rows', async () => {
    const { data } = await askingOf([visual('many', 'SELECT CAST(n AS INTEGER) AS n FROM range(20000) t(n)')])
    const { many } = (await data({ sort: { many: sorted('n', true) } })).visuals
    expect([many?.rows[0], many?.truncated]).toEqual([[19_999], true])
  })

  test('sort orders a level of a hierarchy', async () => {
    const { data } = await askingOf([visual('h', CUBE, { type: 'bar', drill: { levels, values } })])
    const rows = async (more: object) => (await data(more)).visuals.h?.rows.map(([first]) => first)
    expect(await rows({ sort: { h: sorted('total') } })).toEqual(['SANTA_CASA', 'BRADESCO', 'CNU'])
    expect(await rows({ sort: { h: sorted('nivel', true) }, drill: { h: ['CNU'] } })).toEqual([
      '2024-03-20',
      '2024-03-15',
    ])
  })

  test('sort ignores a column that the visual does not have, and keeps the order of a matrix', async () => {
    const matrix = { rows: ['operadora'], values, subtotals: false }
    const { data } = await askingOf([
      visual('ids', 'SELECT id FROM Claims ORDER BY id DESC'),
      visual('m', CUBE, { type: 'matrix', matrix }),
    ])
    const sort = { ids: sorted('"id" --'), m: sorted('total') }
    const { ids, m } = (await data({ sort })).visuals
    expect([ids?.rows.flat(), ids?.sort]).toEqual([[5, 4, 3, 2, 1], undefined])
    expect([m?.rows.map(([first]) => first), m?.sort]).toEqual([['BRADESCO', 'CNU', 'SANTA_CASA'], undefined])
  })
})
