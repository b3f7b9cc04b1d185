import { cacheLookups } from '@bi-manager/telemetry/events'
import { describe, expect, onTestFinished, test } from 'vitest'
import { askingOf, CUBE, equal, filesOf, levels, values } from '../../../test/claims-page.ts'
import { REPORT, serviceWith, visual } from '../../../test/fixture.ts'

describe('underlying rows', () => {
  const all = ['id', 'operadora', 'sexo', 'valor', 'dia', 'pago', 'hora']
  const visuals = [
    visual(
      'paid',
      'SELECT operadora, sum(valor) AS total FROM Claims WHERE pago GROUP BY 1 HAVING sum(valor) > 200 ORDER BY 2 LIMIT 1',
    ),
    visual('h', CUBE, { type: 'bar', drill: { levels, values } }),
    visual('joined', 'SELECT count(*) AS n FROM Claims c JOIN (SELECT 1 AS um) ON TRUE'),
    visual('exact', 'SELECT count(*) AS n FROM Claims WHERE id + 9007199254740992 >= 9007199254740994'),
    visual('constant', 'SELECT 1 AS um'),
    visual('both', 'SELECT count(*) AS n FROM Claims UNION ALL SELECT 2'),
    { name: 't', type: 'text', title: 't', layout: { x: 0, y: 0, width: 50, height: 50 }, text: 'x' },
  ]
  const files = filesOf(visuals, { underlyingData: true })

  async function reading(roles: string[]) {
    const service = await serviceWith({ files })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(roles)
    return async (name: string, more: object = {}) => {
      const body = { page: 'Main', filters: [], visuals: [name], underlying: 100, ...more }
      const answer = await service.embed(token, 'POST', `/reports/${REPORT}/data`, body)
      return {
        status: answer.statusCode,
        code: answer.json().error?.code,
        data: answer.json().visuals?.[name],
      }
    }
  }
  const ids = (data: { columns: string[]; rows: unknown[][] }) =>
    data.rows.map((row) => row[data.columns.indexOf('id')]).toSorted()

  test('the call returns the rows that the query aggregates, with all their columns and its conditions', async () => {
    const read = await reading(['todos'])
    const { data } = await read('paid')
    expect([data.columns, ids(data), data.truncated]).toEqual([all, [1, 3, 4], false])
    expect(ids((await read('paid', { filters: [equal('operadora', 'CNU')] })).data)).toEqual([3, 4])
    const selection = { visual: 'h', filters: [equal('operadora', 'BRADESCO')] }
    expect(ids((await read('paid', { selection })).data)).toEqual([1])
    expect(ids((await read('joined')).data)).toEqual([1, 2, 3, 4, 5])
    // JavaScript would round these numbers, so that every row had a smaller id.
    expect(ids((await read('exact')).data)).toEqual([2, 3, 4, 5])
  })

  test('the call returns the rows of a hierarchy below its opened values', async () => {
    const read = await reading(['todos'])
    expect(ids((await read('h')).data)).toEqual([1, 2, 3, 4, 5])
    expect(ids((await read('h', { drill: { h: ['CNU', '2024-03-20'] } })).data)).toEqual([4])
  })

  test("the call returns only the identity's rows, and as many as were asked for", async () => {
    const read = await reading(['cnu'])
    expect(ids((await read('paid')).data)).toEqual([3, 4])
    expect(ids((await read('paid', { filters: [equal('operadora', 'BRADESCO')] })).data)).toEqual([])
    const { data } = await read('joined', { underlying: 1 })
    expect([data.rows.length, data.truncated]).toEqual([1, true])
  })

  test('the call refuses visuals without such rows, and too many rows', async () => {
    const read = await reading(['todos'])
    for (const name of ['constant', 'both'])
      expect(await read(name)).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect(await read('paid', { underlying: 30_001 })).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect((await read('t')).data).toBeUndefined()
  })

  test('the call returns the texts that a page cuts', async () => {
    const texts = Array.from({ length: 100 }, (_, at) => `note AS t${at}`).join(', ')
    const notes = `SELECT operadora, '${'á'.repeat(300)}' AS note FROM Claims`
    const wide = [visual('wide', `SELECT * FROM (SELECT operadora, ${texts} FROM (${notes}))`)]
    const service = await serviceWith({ files: filesOf(wide, { underlyingData: true }) })
    expect((await service.loaded).warnings).toEqual([])
    const token = await service.embedToken(['todos'])
    const lettersOf = async (more: object) => {
      const body = { page: 'Main', filters: [], ...more }
      const { visuals } = (await service.embed(token, 'POST', `/reports/${REPORT}/data`, body)).json()
      const { rows, cutTexts } = visuals.wide
      return { letters: rows[0].at(-1).length, cut: cutTexts / rows.length }
    }
    expect(await lettersOf({})).toEqual({ letters: 100, cut: 100 })
    expect(await lettersOf({ visuals: ['wide'], underlying: 1 })).toEqual({ letters: 300, cut: Number.NaN })
  })

  test('the service computes the rows at each export, and caches only the rows of visuals', async () => {
    const read = await reading(['todos'])
    const lookups: object[] = []
    onTestFinished(cacheLookups.subscribe((lookup) => lookups.push(lookup)))
    await read('paid')
    expect(lookups).toEqual([])
    await read('paid', { underlying: undefined })
    expect(lookups).toHaveLength(1)
  })

  test('the check warns the author of a visual whose rows cannot be exported, and still shows it', async () => {
    const wide = Array.from({ length: 2_000 }, (_, index) => `1 AS c${index}`).join(', ')
    const odd = [visual('wide', `SELECT count(*) AS n FROM Claims JOIN (SELECT ${wide}) ON TRUE`)]
    const service = await serviceWith({ files: filesOf(odd, { underlyingData: true }) })
    expect((await service.loaded).warnings).toEqual([
      expect.stringContaining(
        'visuals[0].query: os dados subjacentes não são exportados: devolve 2.007 colunas; o limite é 2.000.',
      ),
    ])
    const ask = async (more: object) => {
      const body = { page: 'Main', filters: [], ...more }
      return service.embed(await service.embedToken(['todos']), 'POST', `/reports/${REPORT}/data`, body)
    }
    expect((await ask({})).json().visuals).toMatchObject({ wide: { rows: [[5]] } })
    expect((await ask({ visuals: ['wide'], underlying: 1 })).statusCode).toBe(400)
  })

  test('underlying rows is refused unless the author allows it', async () => {
    const { ask } = await askingOf(visuals.slice(0, 1))
    const answer = await ask({ underlying: 1 })
    expect([answer.statusCode, answer.json().error.code]).toEqual([403, 'PowerBINotAuthorizedException'])
    expect(answer.body).not.toContain('BRADESCO')
  })
})
