import { expect, test } from 'vitest'
import { CUBE, equal, filesOf, levels, values } from '../../../test/claims-page.ts'
import { claimsReport, faultsOf, visual, warningsOf } from '../../../test/fixture.ts'

test('a check names file and place of missing columns, invalid measures and orders, and missing targets', async () => {
  const at = (index: number, place: string) =>
    `workspaces/one/claims.json: pages[0].visuals[${index}].${place}: `
  const column = 'a consulta não devolve a coluna x'
  const drillOf = (more: object) => ({ type: 'bar', drill: { levels: levels.slice(0, 2), values, ...more } })
  const matrixOf = (more: object) => ({ type: 'matrix', matrix: { rows: ['operadora'], values, ...more } })
  const date = { column: 'x', label: 'X' }
  const [first] = levels
  const wrong: [object, string][] = [
    [drillOf({ levels: [first, date] }), `drill.levels[1].column: ${column}`],
    [
      drillOf({ levels: [first, levels[1], first] }),
      'drill.levels[2].column: operadora se repete na hierarquia',
    ],
    [
      drillOf({ levels: [first, { ...levels[1], target: { table: 'Claims', column: 'x' } }] }),
      'drill.levels[1].target: Claims.x não existe',
    ],
    [drillOf({ values: { nivel: 'count(*)' } }), 'drill.values.nivel: o nome já é de uma coluna'],
    [drillOf({ values: {} }), 'drill.values: falta ao menos uma medida'],
    [drillOf({ values: { n: 'sum(x)' } }), 'drill.values.n: a coluna x não existe'],
    [drillOf({ values: { n: 'count(*), 1' } }), 'drill.values.n: uma medida é uma única expressão'],
    [
      drillOf({ values: { n: 'count(*)) AS n FROM Claims --' } }),
      'drill.values.n: a consulta não pôde ser lida',
    ],
    [drillOf({ values: { n: 'count(*) AS m' } }), 'drill.values.n: uma medida é uma única expressão'],
    [drillOf({ values: { n: 'count(*) FROM Claims' } }), 'drill.values.n: uma medida é uma única expressão'],
    [drillOf({ values: { n: "max(getenv('HOME'))" } }), 'drill.values.n: a função getenv não é aceita'],
    [
      drillOf({ values: { n: '(SELECT max(email) FROM Access)' } }),
      'drill.values.n: a tabela Access não existe',
    ],
    [drillOf({ values: { n: 'max($nivel0)' } }), 'drill.values.n: uma consulta não tem parâmetros'],
    [drillOf({ order: 'total LIMIT 1' }), 'drill.order: escreva só o que vem depois de ORDER BY'],
    [drillOf({ order: 'total; SELECT 2' }), 'drill.order: escreva uma única consulta'],
    [drillOf({ order: 'x' }), 'drill.order: a coluna x não existe'],
    [drillOf({ order: "getenv('HOME')" }), 'drill.order: a função getenv não é aceita'],
    [drillOf({ order: 'total) LIMIT 0 --' }), 'drill.order: a consulta não pôde ser lida'],
    [drillOf({ order: '$nivel0' }), 'drill.order: uma consulta não tem parâmetros'],
    [matrixOf({ rows: ['x'] }), `matrix.rows[0]: ${column}`],
    [matrixOf({ columns: ['x'] }), `matrix.columns[0]: ${column}`],
    [matrixOf({ columns: ['operadora'] }), 'matrix.columns[0]: operadora se repete na matriz'],
    [matrixOf({ values: { operadora: 'count(*)' } }), 'matrix.values.operadora: o nome já é de uma coluna'],
    [
      matrixOf({ values: { a: 'count(*)', b: 'valor' } }),
      'matrix.values.b: a coluna valor precisa estar no GROUP BY',
    ],
    [{ totals: { x: 'count(*)' } }, `totals.x: ${column}`],
    [{ totals: { valor: 'valor' } }, 'totals.valor: a coluna valor precisa estar no GROUP BY'],
    [{ sort: { column: 'x' } }, `sort.column: ${column}`],
    [{ conditional: { x: { kind: 'bar' } } }, `conditional.x: ${column}`],
    [
      { type: 'slicer', query: undefined, slicer: { target: { table: 'Claims', column: 'x' } } },
      'slicer.target: Claims.x não existe',
    ],
    [
      {
        type: 'slicer',
        query: undefined,
        slicer: { target: { table: 'Claims', column: 'valor' }, style: 'dateRange' },
      },
      'slicer.style: dateRange pede uma coluna de datas',
    ],
    [{ type: 'button', query: undefined, button: { page: 'x' } }, 'button.page: a página x não existe'],
    [
      { type: 'button', query: undefined, button: { bookmark: 'x' } },
      'button.bookmark: o marcador x não existe',
    ],
    [
      { type: 'button', query: undefined, button: { page: 'Main', resetFilters: true } },
      'button: escreva só um de page, bookmark e resetFilters',
    ],
  ]
  const visuals = wrong.map(([more], index) => visual(`v${index}`, CUBE, more))
  const faults = await faultsOf(filesOf(visuals))
  const missed = wrong.flatMap(([, expected], index) => {
    const separator = expected.indexOf(': ')
    const whole = `${at(index, expected.slice(0, separator))}${expected.slice(separator + 2)}`
    return faults.some((text) => text.startsWith(whole)) ? [] : [whole]
  })
  expect(missed, faults.join('\n')).toEqual([])
  expect(faults).toHaveLength(wrong.length)
})

test('loadReport warns with file and place of options that open windows or cannot be drawn', async () => {
  const wrong: [object, string][] = [
    [{ title: { link: 'https://x.br' } }, 'option.title.link: não é aceito'],
    [{ title: [{ text: 'T' }, { sublink: 'x' }] }, 'option.title[1].sublink: não é aceito'],
    [{ title: { target: 'self' } }, 'option.title.target: não é aceito'],
    [{ title: { subtarget: 'self' } }, 'option.title.subtarget: não é aceito'],
    [
      { baseOption: { title: { link: 'x' } }, media: [{ option: {} }] },
      'option.baseOption.title.link: não é aceito',
    ],
    [
      { series: [{ type: 'line' }, { type: 'custom' }] },
      'option.series[1].type: não há séries custom; use line, bar, pie, scatter ou heatmap',
    ],
    [{ series: { type: 'radar' } }, 'option.series.type: não há séries radar'],
    [{ series: [{ type: 7 }] }, 'option.series[0].type: não há séries 7'],
    // A data field called link, which opens nothing.
    [{ series: [{ type: 'line', markLine: { data: [{ yAxis: 1, name: 'link' }] } }] }, ''],
  ]
  const visuals = wrong.map(([option], index) => visual(`v${index}`, CUBE, { type: 'line', option }))
  const warnings = await warningsOf(filesOf(visuals))
  const expected = wrong.flatMap(([, sentence], index) =>
    sentence ? [`workspaces/one/claims.json: pages[0].visuals[${index}].${sentence}`] : [],
  )
  expect(warnings.map((text, index) => text.slice(0, expected[index]?.length))).toEqual(expected)
  expect(warnings[0]).toMatch(/\(linha \d+, coluna \d+\)$/)
})

test('loadReport warns with file and place of bookmarks and phone layouts with missing targets', async () => {
  const mark = { name: 'm', displayName: 'M', page: 'Main' }
  const pages = [
    {
      name: 'Main',
      displayName: 'P',
      visuals: [visual('a', CUBE)],
      phone: [{ visual: 'a' }, { visual: 'x' }, { visual: 'a' }],
    },
  ]
  const bookmarks = [
    mark,
    mark,
    { ...mark, name: 'n', page: 'x' },
    { ...mark, name: 'o', filters: [equal('valor', 1), equal('nada', 1)] },
  ]
  const place = 'workspaces/one/claims.json: '
  expect(
    (await warningsOf({ 'workspaces/one/claims.json': { ...claimsReport, pages, bookmarks } }))
      .map((sentence) => sentence.replace(/ \(linha .*\)$/, ''))
      .sort(),
  ).toEqual([
    `${place}bookmarks[1].name: m se repete`,
    `${place}bookmarks[2].page: a página x não existe no relatório`,
    `${place}bookmarks[3].filters[1]: a coluna Claims.nada não existe`,
    `${place}pages[0].phone[1].visual: o visual x não existe na página`,
    `${place}pages[0].phone[2].visual: a se repete`,
  ])
})
