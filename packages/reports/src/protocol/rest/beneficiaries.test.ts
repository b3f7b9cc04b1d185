import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { equal, filesOf, levels, values } from '../../../test/claims-page.ts'
import {
  CLAIMS,
  claimsDataset,
  GROUP,
  REPORT,
  serviceWith,
  visual,
  warningsOf,
} from '../../../test/fixture.ts'

const csv = `id,operadora,sexo,valor,carteira
1,BRADESCO,masculino,100,B-1
2,BRADESCO,feminino,200,B-1
3,CNU,masculino,300,C-1
4,CNU,feminino,50, C-2
5,CNU,feminino,60,
6,SANTA_CASA,feminino,75,S-1
`
const declaring = (table: object, more: object = {}) => ({
  'datasets/claims/dataset.json': {
    ...claimsDataset,
    tables: { ...claimsDataset.tables, Claims: { file: 'claims.csv', ...table }, ...more },
  },
  'datasets/claims/claims.csv': csv,
})
const byOperator = 'SELECT operadora, sum(valor) AS total FROM Claims GROUP BY 1'
const target = { table: 'Claims', column: 'operadora' }
const visuals = [
  visual('bars', byOperator, { type: 'bar', select: { target, column: 'operadora' } }),
  visual('women', `${byOperator.replace(' GROUP', " WHERE sexo = 'feminino' GROUP")} HAVING sum(valor) > 60`),
  visual('h', 'SELECT operadora, sexo, valor, carteira, id FROM Claims', {
    type: 'bar',
    drill: { levels: [levels[0], { column: 'sexo', label: 'Sexo' }], values },
  }),
  visual('without', 'SELECT operadora, sexo, valor, id FROM Claims', {
    type: 'bar',
    drill: { levels: [levels[0], { column: 'sexo', label: 'Sexo' }], values },
  }),
  visual('constant', 'SELECT 1 AS um'),
  visual('alone', byOperator, { ignoresSelection: true }),
]

const asking = async (more: object[] = [], dataset = declaring({ beneficiary: 'carteira' })) => {
  const service = await serviceWith({ files: { ...dataset, ...filesOf([...visuals, ...more]) } })
  expect((await service.loaded).warnings).toEqual([])
  const token = await service.entraToken()
  const ask = async (point: object, { roles = ['todos'], ...identity }: Record<string, unknown> = {}) => {
    const answer = await service.app.inject({
      method: 'POST',
      url: `/v1.0/myorg/groups/${GROUP}/reports/${REPORT}/beneficiaries`,
      headers: { authorization: `Bearer ${token}` },
      payload: {
        point: { page: 'Main', visual: 'bars', ...point },
        identities: [{ username: 'ana@x.br', datasets: [CLAIMS], roles, ...identity }],
      },
    })
    const { ids, more, error } = answer.json()
    return { status: answer.statusCode, ids, more, code: error?.code }
  }
  return { service, ask }
}

describe('POST /reports/:id/beneficiaries', () => {
  test('POST /reports/:id/beneficiaries returns each id behind a point once, sorted and trimmed', async () => {
    const { ask } = await asking()
    expect(await ask({ point: [equal('operadora', 'BRADESCO')] })).toMatchObject({
      ids: ['B-1'],
      more: 0,
    })
    expect((await ask({ point: [equal('operadora', 'CNU')] })).ids).toEqual(['C-1', 'C-2'])
    expect((await ask({})).ids).toEqual(['B-1', 'C-1', 'C-2', 'S-1'])
    expect((await ask({ visual: 'women' })).ids).toEqual(['B-1', 'C-2', 'S-1'])
  })

  test("POST /reports/:id/beneficiaries applies the filters in force and another visual's selection", async () => {
    const { ask } = await asking()
    const men = equal('sexo', 'masculino')
    expect((await ask({ filters: [men] })).ids).toEqual(['B-1', 'C-1'])
    const selection = { visual: 'women', filters: [men] }
    expect((await ask({ selection, point: [equal('operadora', 'CNU')] })).ids).toEqual(['C-1'])
    expect((await ask({ selection: { ...selection, visual: 'bars' } })).ids).toHaveLength(4)
    expect((await ask({ visual: 'alone', selection })).ids).toHaveLength(4)
  })

  test('POST /reports/:id/beneficiaries follows an opened hierarchy', async () => {
    const { ask } = await asking()
    expect((await ask({ visual: 'h', drill: ['CNU'] })).ids).toEqual(['C-1', 'C-2'])
    expect((await ask({ visual: 'h', drill: ['CNU', 'x'] })).status).toBe(400)
  })

  test("POST /reports/:id/beneficiaries returns only ids in the reader's rows", async () => {
    const { ask } = await asking()
    expect((await ask({}, { roles: ['cnu'] })).ids).toEqual(['C-1', 'C-2'])
    expect((await ask({ point: [equal('operadora', 'BRADESCO')] }, { roles: ['cnu'] })).ids).toEqual([])
    expect((await ask({}, { roles: ['por-usuario'], username: 'bia@x.br' })).ids).toEqual(['B-1'])
    expect((await ask({}, { roles: ['por-dado'] })).ids).toEqual([])
    const { status, code } = await ask({}, { roles: [] })
    expect([status, code]).toEqual([400, 'InvalidRequest'])
  })

  test('POST /reports/:id/beneficiaries reads one version of the data, which a publication leaves open', async () => {
    const { service, ask } = await asking()
    const { database } = (await service.loaded).datasets.get(CLAIMS) ?? expect.fail('no dataset')
    const { query } = database
    const [begun, published] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    database.query = async (...given) => {
      begun.resolve()
      await published.promise
      return query(...given)
    }
    const asked = ask({})
    await begun.promise
    await writeFile(join(service.dataDir, 'datasets/claims/claims.csv'), csv.replaceAll('C-1', 'C-9'))
    await service.versions.refresh()
    published.resolve()
    expect((await asked).ids).toEqual(['B-1', 'C-1', 'C-2', 'S-1'])
    expect((await ask({})).ids).toEqual(['B-1', 'C-2', 'C-9', 'S-1'])
  })

  test('POST /reports/:id/beneficiaries returns at most 500 ids, and says how many more there are', async () => {
    const rows = Array.from({ length: 503 }, (_, index) => `${index},CNU,masculino,1,P-${index}`)
    const files = declaring({ beneficiary: 'carteira' })
    const { ask } = await asking([], {
      ...files,
      'datasets/claims/claims.csv': `id,operadora,sexo,valor,carteira\n${rows.join('\n')}\n`,
    })
    const all = await ask({})
    expect([all.ids.length, all.more]).toEqual([500, 3])
  })

  test('POST /reports/:id/beneficiaries refuses visuals whose rows have no id, unknown ones and malformed points', async () => {
    const { ask } = await asking()
    for (const name of ['constant', 'without'])
      expect(await ask({ visual: name })).toMatchObject({ status: 400, code: 'InvalidRequest' })
    expect((await ask({ visual: 'x' })).status).toBe(404)
    expect((await ask({ page: 'x' })).status).toBe(404)
    expect(await ask({ filters: [equal('nada', 'x')] })).toMatchObject({ status: 400, code: 'InvalidFilter' })
    expect((await ask({ filters: [{ target, operator: 'Sql', values: ['1=1'] }] })).status).toBe(400)
    expect((await ask({ most: 9 })).status).toBe(400)
  })

  test('POST /reports/:id/beneficiaries does not take a column of the same name in another table for the id', async () => {
    const query = 'SELECT count(*) AS n FROM Other o JOIN Claims c ON o.id = c.id'
    const dataset = {
      ...declaring({ beneficiary: 'carteira' }, { Other: { file: 'other.csv' } }),
      'datasets/claims/other.csv': 'id,carteira\n1,X-1\n',
    }
    const { ask } = await asking([visual('joined', query)], dataset)
    expect((await ask({ visual: 'joined' })).status).toBe(400)
  })

  test('POST /reports/:id/beneficiaries is refused to the embed token of a browser', async () => {
    const { service } = await asking()
    const authorization = `EmbedToken ${await service.embedToken(['todos'])}`
    const url = `/v1.0/myorg/groups/${GROUP}/reports/${REPORT}/beneficiaries`
    const payload = { point: { page: 'Main', visual: 'bars' } }
    const answer = await service.app.inject({ method: 'POST', url, headers: { authorization }, payload })
    expect(answer.statusCode).toBe(401)
  })

  test('POST /reports/:id/beneficiaries tells the embed page which visuals have beneficiaries behind them', async () => {
    const { service } = await asking()
    const answer = await service.embed(await service.embedToken(['todos']), 'GET', `/reports/${REPORT}`)
    const shown: { name: string; hasBeneficiaries?: true }[] = answer.json().pages[0].visuals
    const offering = shown.filter(({ hasBeneficiaries }) => hasBeneficiaries).map(({ name }) => name)
    expect(offering).toEqual(['bars', 'women', 'h', 'alone'])
  })

  test('POST /reports/:id/beneficiaries refuses a declared column that does not exist, and one of a hidden table', async () => {
    expect(await warningsOf(declaring({ beneficiary: 'nada' }))).toContainEqual(
      expect.stringContaining('tables.Claims.beneficiary: a coluna nada não existe na tabela'),
    )
    expect(await warningsOf(declaring({ beneficiary: 'carteira', hidden: true }))).toContainEqual(
      expect.stringContaining('tables.Claims.beneficiary: não em uma tabela oculta'),
    )
  })
})

/** A small generator, so that a failure can be repeated. */
const randomOf = (seed: number) => {
  let state = seed
  return (below: number) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((state / 2_147_483_648) * below)
  }
}

test('the answer equals a direct selection of the rows, for random rows, filters and roles', async () => {
  const random = randomOf(20_261_127)
  const pick = <T>(list: readonly T[]): T => list[random(list.length)] as T
  const operators = ['BRADESCO', 'CNU', 'SANTA_CASA']
  const sexes = ['masculino', 'feminino']
  const rows = Array.from({ length: 300 }, (_, id) => ({
    id,
    operadora: pick(operators),
    sexo: pick(sexes),
    valor: random(100),
    carteira: pick(['', ...Array.from({ length: 60 }, (_none, index) => `P-${index}`)]),
  }))
  const lines = rows.map((row) => Object.values(row).join(','))
  const { ask } = await asking([], {
    ...declaring({ beneficiary: 'carteira' }),
    'datasets/claims/claims.csv': `id,operadora,sexo,valor,carteira\n${lines.join('\n')}\n`,
  })
  const seen = { todos: operators, bradesco: ['BRADESCO'], cnu: ['CNU'] }
  for (let turn = 0; turn < 60; turn++) {
    const chosen = operators.filter(() => random(2) === 1)
    const sex = pick([undefined, ...sexes])
    const most = pick([undefined, random(100)])
    const point = pick([undefined, ...operators])
    const roles = pick([['todos'], ['bradesco'], ['cnu'], ['bradesco', 'cnu']] as const)
    const allowed = new Set(roles.flatMap((role) => seen[role]))
    const kept = rows.filter(
      (row) =>
        allowed.has(row.operadora) &&
        (chosen.length === 0 || chosen.includes(row.operadora)) &&
        (sex === undefined || row.sexo === sex) &&
        (most === undefined || row.valor <= most) &&
        (point === undefined || row.operadora === point),
    )
    const filters = [
      ...(chosen.length ? [equal('operadora', ...chosen)] : []),
      ...(sex === undefined ? [] : [equal('sexo', sex)]),
      ...(most === undefined
        ? []
        : [
            {
              target: { table: 'Claims', column: 'valor' },
              logicalOperator: 'And',
              conditions: [{ operator: 'LessThanOrEqual', value: most }],
            },
          ]),
    ]
    const asked = { filters, point: point === undefined ? [] : [equal('operadora', point)] }
    const { ids } = await ask(asked, { roles })
    const expected = new Set(kept.map(({ carteira }) => carteira).filter(Boolean))
    expect(new Set(ids), JSON.stringify({ asked, roles })).toEqual(expected)
  }
})

describe('an embed token', () => {
  const target = { table: 'claims', column: 'Carteira' }
  const isOne = { target, operator: 'In', values: ['B-1'] }
  const first = { operator: 'Top', itemCount: 1 }
  const filters: [string, object][] = [
    ['a filter', isOne],
    ['a point', { target: [[target]], isExclude: false, values: [[[{ value: 'B-1' }]]] }],
    ['the first ones', { target, ...first, orderBy: { table: 'Claims', column: 'valor' } }],
    ['an order', { target: { table: 'Claims', column: 'id' }, ...first, orderBy: target }],
  ]

  test.each(filters)(
    'an embed token learns nothing about the id of a beneficiary by %s',
    async (_, filter) => {
      const { service } = await asking()
      const token = await service.embedToken(['todos'])
      const answers = [
        await service.data(token, [filter]),
        await service.embed(token, 'POST', `/reports/${REPORT}/empty`, {
          page: 'Main',
          visuals: ['bars'],
          filters: [filter],
        }),
      ]
      for (const answer of answers) {
        expect([answer.statusCode, answer.json().error.code]).toEqual([400, 'InvalidFilter'])
        expect(answer.body).toMatch(/Carteira não existe/)
      }
    },
  )

  test('neither lists the ids nor names their column', async () => {
    const { service } = await asking()
    const token = await service.embedToken(['todos'])
    const listed = await service.embed(token, 'POST', `/reports/${REPORT}/values`, { target })
    expect(listed.statusCode).toBe(400)
    const { columns } = (await service.embed(token, 'GET', `/reports/${REPORT}`)).json()
    expect(columns.Claims).toContain('operadora')
    expect(columns.Claims).not.toContain('carteira')
  })

  test('filters by the id where the report itself selects by it', async () => {
    const byId = visual('people', 'SELECT carteira, valor FROM Claims', {
      type: 'bar',
      select: { target: { table: 'Claims', column: 'carteira' }, column: 'carteira' },
    })
    const { service } = await asking([byId])
    const token = await service.embedToken(['todos'])
    expect((await service.data(token, [isOne])).statusCode).toBe(200)
    const listed = await service.embed(token, 'POST', `/reports/${REPORT}/values`, { target })
    expect(listed.json().values).toContain('B-1')
  })
})
