import { describe, expect, test, vi } from 'vitest'
import type { Cell, ColumnFormat, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { createDataTable } from './data-table.ts'

const visual = (part: Partial<EmbeddedVisual> = {}) =>
  ({
    name: 'lista',
    type: 'table',
    title: 'Lista',
    format: { custo: 'inteiro' },
    labels: { nome: 'Nome' },
    option: {},
    conditional: {},
    ...part,
  }) as EmbeddedVisual
const answer = (rows: Cell[][], part: Partial<VisualData> = {}): VisualData =>
  answerOf({
    columns: ['nome', 'custo'],
    rows,
    truncated: false,
    ...part,
  })
const rows: Cell[][] = [
  ['Água', 9],
  ['banco', null],
  ['Zebra', 1000],
  ['ábaco', 10],
]

const show = (
  data: VisualData,
  { part, picked }: { part?: Partial<EmbeddedVisual>; picked?: (row: number) => void } = {},
) => {
  const table = createDataTable(visual(part), {}, { picked })
  table.draw(data)
  document.body.replaceChildren(table.element)
  const all = (selector: string) => [...table.element.querySelectorAll<HTMLElement>(selector)]
  return {
    table,
    all,
    first: () => all('tbody tr').map((row) => row.querySelector('td')?.textContent),
    press: (heading: string) =>
      all('.sort')
        .find(({ textContent }) => textContent === heading)
        ?.click(),
    sorted: () => all('th').map((cell) => cell.getAttribute('aria-sort')),
  }
}

describe('the digits of numbers', () => {
  const stored: Cell[][] = [
    ['0.1234567890123456789', 0.12345],
    ['1', 1234.5],
  ]
  const digits = { kinds: ['number', 'number'] } satisfies Partial<VisualData>
  const shown = (part: Partial<EmbeddedVisual>) =>
    show(answer(stored, digits), { part })
      .all('td')
      .map(({ textContent }) => textContent)

  test('numbers are shown with all digits where the table has stored values', () => {
    const part = { hasStoredValues: true as const, format: {} }
    expect(shown(part)).toEqual(['0,1234567890123456789', '0,12345', '1', '1.234,5'])
  })

  test.each<[ColumnFormat, string, string]>([
    ['moeda', 'R$\u00A00,12345', 'R$\u00A01.234,50'],
    ['percentual', '12,345%', '123.450,0%'],
    // The author says how many.
    ['decimal2', '0,12', '1.234,50'],
    ['inteiro', '0', '1.235'],
  ])('numbers of stored values follow the format %s', (format, first, second) => {
    const texts = shown({ hasStoredValues: true, format: { custo: format } })
    expect([texts[1], texts[3]]).toEqual([first, second])
  })

  test('numbers of results have at most two decimals', () => {
    expect(shown({ format: {} })).toEqual(['0,12', '0,12', '1', '1.234,5'])
  })
})

test('the data table marks the cells that match a rule of the author, and gives empty cells an empty value', () => {
  const rule = { operator: '>' as const, value: 100, tone: 'bad' as const }
  const { all } = show(answer(rows), {
    part: { conditional: { custo: { kind: 'rules', rules: [rule] } } },
  })
  expect(all('td.in-bad').map(({ dataset }) => dataset.value)).toEqual(['1000'])
  const values = all('tbody tr').map((row) => [...row.querySelectorAll('td')].at(-1)?.dataset.value)
  expect(values).toEqual(['9', '', '1000', '10'])
})

describe('the order of a table', () => {
  test('the order of a table is that of the query until a heading is pressed, and reverses at the second press', () => {
    const { first, press, sorted } = show(answer(rows))
    expect([first(), sorted()]).toEqual([
      ['Água', 'banco', 'Zebra', 'ábaco'],
      [null, null],
    ])
    press('Nome')
    expect([first(), sorted()]).toEqual([
      ['ábaco', 'Água', 'banco', 'Zebra'],
      ['ascending', null],
    ])
    press('Nome')
    expect(first()).toEqual(['Zebra', 'banco', 'Água', 'ábaco'])
    press('Custo')
    expect([first(), sorted()]).toEqual([
      ['Zebra', 'ábaco', 'Água', 'banco'],
      [null, 'descending'],
    ])
  })

  test("the order of a table starts with the author's order, and keeps the reader's choice when data changes", () => {
    const { table, first, press } = show(answer(rows), {
      part: { sort: { column: 'custo', descending: false } },
    })
    expect(first()).toEqual(['Água', 'ábaco', 'Zebra', 'banco'])
    press('Nome')
    table.draw(answer(rows.slice(1)))
    expect(first()).toEqual(['ábaco', 'banco', 'Zebra'])
    expect(table.rows().map(([name]) => name)).toEqual(['ábaco', 'banco', 'Zebra'])
  })
})

test('the data table shows totals in a separate row, and says when rows are left out', () => {
  const { all } = show(answer(rows, { totals: [null, 1019], truncated: true }))
  expect(all('tfoot tr > *').map(({ tagName, textContent }) => `${tagName} ${textContent}`)).toEqual([
    'TH Total',
    'TD 1.019',
  ])
  expect(all('.truncated')[0]?.textContent).toContain('Só as primeiras 4 linhas')
  expect(all('table')[0]?.getAttribute('aria-rowcount')).toBe('6')
})

test('the data table draws thousands of rows in parts, and all of them for printing', () => {
  const many = Array.from({ length: 2000 }, (_, index): Cell[] => [`n${index}`, index])
  const { table, all } = show(answer(many))
  expect(all('tbody tr')).toHaveLength(100)
  all('.scroll')[0]?.dispatchEvent(new Event('scroll'))
  // Without layout every height is 0, so the table always counts as scrolled to its end.
  table.draw(answer(many))
  table.drawAll()
  expect(all('tbody tr')).toHaveLength(2000)
  expect(all('tbody tr').at(-1)?.getAttribute('aria-rowindex')).toBe('2001')
})

test('the data table reports the picked row, and marks it in place', () => {
  const picked = vi.fn()
  const select = { target: { table: 't', column: 'nome' }, column: 'nome' }
  const data = answer(rows)
  const { table, all, press } = show(data, { part: { select }, picked })
  press('Nome')
  const zebra = all('.pick').at(-1)
  zebra?.focus()
  zebra?.click()
  expect(picked).toHaveBeenCalledWith(2)
  table.draw(data, 'Zebra')
  expect(all('.picked').map(({ textContent }) => textContent)).toEqual(['Zebra1.000'])
  expect([zebra?.getAttribute('aria-pressed'), document.activeElement === zebra]).toEqual(['true', true])
})

test('the data table shows HTML in the data as text', () => {
  const { all } = show(answer([['<img src=x onerror=alert(1)>', 1]]))
  expect(all('img')).toEqual([])
})

test("the data table keeps the embedder's order, which replaces that of the author and the reader", () => {
  const data = answer(rows)
  const { table, all, press } = show(data, { part: { sort: { column: 'nome', descending: false } } })
  press('Nome')
  table.draw({ ...data, sort: { column: data.columns[1] ?? '', descending: true } })
  const sorted = all('th').map((heading) => heading.getAttribute('aria-sort'))
  expect(sorted).toEqual([null, 'descending'])
})

test('the data table says which cells are not numbers, and sorts them with the blanks', () => {
  const { first, all, press } = show(
    answer(
      [
        ['a', Number.NaN],
        ['b', 2],
        ['c', Number.NEGATIVE_INFINITY],
        ['d', 1],
      ],
      { totals: [null, Number.NaN] },
    ),
  )
  expect(all('tbody td.number').map(({ textContent }) => textContent)).toEqual([
    'não é um número',
    '2',
    '−infinito',
    '1',
  ])
  expect(all('tfoot td')[0]?.textContent).toBe('não é um número')
  press('Custo')
  expect(first()).toEqual(['b', 'd', 'a', 'c'])
})

test('the data table draws the first 200 of many columns, a few rows at a time, and counts the others', () => {
  const columns = Array.from({ length: 1500 }, (_, index) => `c${index}`)
  const wide = { columns, truncated: true, rows: Array.from({ length: 300 }, () => columns.map(() => 1)) }
  const { all, table } = show(answer(wide.rows, { ...wide, totals: columns.map(() => 300) }))
  expect([all('thead th').length, all('tbody tr').length, all('tbody td').length]).toEqual([200, 20, 4000])
  expect(all('tfoot td')).toHaveLength(200)
  expect(all('.truncated')[0]?.textContent).toMatch(
    /^Só as primeiras 300 linhas .* Só 200 das 1\.500 colunas são mostradas: exporte os dados para ver todas\.$/,
  )
  expect(all('table')[0]?.getAttribute('aria-colcount')).toBe('1500')
  // Exports have all of them.
  expect(table.rows()[0]).toHaveLength(1500)
  expect(all('.wide')).toHaveLength(1)
  expect(show(answer(rows)).all('.truncated')[0]?.hidden).toBe(true)
  const cut = show(answer(rows, { cutTexts: 1 })).all('.truncated')[0]
  expect([cut?.hidden, cut?.textContent]).toEqual([
    false,
    '1 texto longo está só com o começo, que termina em “…”. Com menos colunas de texto no visual, cabem até 2.000 letras de cada um.',
  ])
})

test('the data table marks the rows of NaN and of infinity, which a selection has as names', () => {
  const select = { target: { table: 'A', column: 'custo' }, column: 'custo' }
  const data = answer([...rows, ['nulo', Number.NaN], ['muito', Number.POSITIVE_INFINITY]])
  const { table, all } = show(data, { part: { select }, picked: vi.fn() })
  const marked = (selection: Cell) => {
    table.draw(data, selection)
    return all('.picked').map(({ firstChild }) => firstChild?.textContent)
  }
  expect([marked('NaN'), marked('Infinity'), marked(null)]).toEqual([['nulo'], ['muito'], ['banco']])
})
