import { expect, test } from 'vitest'
import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { createMatrix } from './matrix.ts'

const visual = {
  name: 'matriz',
  type: 'matrix',
  title: 'Custo',
  matrix: { rows: ['operadora', 'plano'], columns: ['ano'], values: ['custo'], subtotals: true },
  format: { custo: 'inteiro', ano: 'texto' },
  labels: { operadora: 'Operadora', plano: 'Plano' },
  option: {},
  conditional: { custo: { kind: 'bar' } },
} as unknown as EmbeddedVisual

const answered: [...Cell[], [number, number]][] = [
  ['CNU', 'A', 2024, 1, [2, 1]],
  ['CNU', 'A', null, 1, [2, 0]],
  ['CNU', 'B', 2024, 2, [2, 1]],
  ['CNU', 'B', null, 2, [2, 0]],
  ['CNU', null, 2024, 3, [1, 1]],
  ['CNU', null, null, 3, [1, 0]],
  ['Santa', 'A', 2025, 4, [2, 1]],
  ['Santa', 'A', null, 4, [2, 0]],
  ['Santa', null, 2025, 4, [1, 1]],
  ['Santa', null, null, 4, [1, 0]],
  [null, null, 2024, 3, [0, 1]],
  [null, null, 2025, 4, [0, 1]],
  [null, null, null, 7, [0, 0]],
]
const data: VisualData = answerOf({
  columns: ['operadora', 'plano', 'ano', 'custo'],
  rows: answered.map((row) => row.slice(0, -1) as Cell[]),
  levels: answered.map((row) => row.at(-1) as [number, number]),
  truncated: false,
})

const show = (given: VisualData = data) => {
  const matrix = createMatrix(visual, {})
  matrix.draw(given)
  document.body.replaceChildren(matrix.element)
  const all = (selector: string) => [...matrix.element.querySelectorAll<HTMLElement>(selector)]
  return {
    matrix,
    all,
    lines: () =>
      all('tbody tr').map((row) => [...row.children].map(({ textContent }) => textContent).join('|')),
    group: (name: string) => all('.toggle').find(({ textContent }) => textContent === name),
  }
}

test('a matrix is a table with row and column headings, subtotals and totals', () => {
  const { all, lines } = show()
  expect(all('thead th').map((cell) => `${cell.textContent} ${cell.getAttribute('scope')}`)).toEqual([
    '−Operadora › Plano col',
    '2024 col',
    '2025 col',
    'Total col',
  ])
  expect(lines()).toEqual(['CNU|3||3', 'A|1||1', 'B|2||2', 'Santa||4|4', 'A||4|4'])
  expect(all('tfoot tr > *').map(({ textContent }) => textContent)).toEqual(['Total', '3', '4', '7'])
  expect(all('tbody th').map((cell) => cell.getAttribute('scope'))).toEqual([
    'rowgroup',
    'row',
    'row',
    'rowgroup',
    'row',
  ])
})

test('the matrix opens and closes groups by click and arrow keys, and keeps that when data changes', () => {
  const { matrix, lines, group, all } = show()
  group('CNU')?.click()
  expect(lines()).toEqual(['CNU|3||3', 'Santa||4|4', 'A||4|4'])
  expect([group('CNU')?.getAttribute('aria-expanded'), document.activeElement]).toEqual([
    'false',
    group('CNU'),
  ])
  matrix.draw({ ...data })
  expect(lines()).toHaveLength(3)
  group('CNU')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))
  expect(lines()).toHaveLength(5)
  group('CNU')?.dispatchEvent(new KeyboardEvent('keydown', { key: 'ArrowRight' }))
  expect(lines()).toHaveLength(5)
  const [all_] = all('.toggle-all')
  all_?.click()
  expect([lines(), all_?.getAttribute('aria-label')]).toEqual([
    ['CNU|3||3', 'Santa||4|4'],
    'Abrir todos os grupos',
  ])
})

test('the matrix labels the button for all groups with what it does next', () => {
  const { group, all } = show()
  const button = () => [all('.toggle-all')[0]?.textContent, all('.toggle-all')[0]?.getAttribute('aria-label')]
  expect(button()).toEqual(['−', 'Fechar todos os grupos'])
  group('CNU')?.click()
  expect(button()).toEqual(['+', 'Abrir todos os grupos'])
  group('CNU')?.click()
  expect(button()).toEqual(['−', 'Fechar todos os grupos'])
})

test('the matrix redraws as many rows as before, and at least enough to fill the screen', () => {
  const groups = Array.from({ length: 150 }, (_, index) => `G${index}`)
  const rows = groups.flatMap((name): Cell[][] => [
    [name, 'A', 2024, 1],
    [name, 'B', 2024, 1],
    [name, 'C', 2024, 1],
  ])
  const levels = rows.map((): [number, number] => [2, 1])
  const { matrix, lines, all, group } = show({ ...data, rows, levels })
  expect(lines()).toHaveLength(100)
  for (let again = 0; again < 3; again++) matrix.draw({ ...data, rows, levels })
  expect(lines()).toHaveLength(100)
  all('.toggle-all')[0]?.click()
  expect(lines()).toHaveLength(100)
  for (const name of groups.slice(0, 20)) group(name)?.click()
  // Closed one by one, groups make room for those below.
  expect(lines().length).toBeGreaterThanOrEqual(100)
  all('.toggle-all')[0]?.click()
  all('.toggle-all')[0]?.click()
  expect(lines().length).toBeLessThan(110)
})

test('the matrix formats conditionally only cells that are not totals', () => {
  const { all } = show()
  expect(all('.barred').map(({ textContent }) => textContent)).toEqual(['1', '2', '4'])
})

test('the matrix starts closed when it has many rows', () => {
  const many = Array.from({ length: 60 }, (_, index): Cell[] => ['CNU', `P${index}`, 2024, index])
  const levels = many.map((): [number, number] => [2, 1])
  const { lines, all } = show({ ...data, rows: many, levels })
  expect(lines()).toHaveLength(1)
  all('.toggle')[0]?.click()
  expect(lines()).toHaveLength(61)
})

test('the matrix draws the first 200 of many columns with the total, and counts the others', () => {
  const days = Array.from({ length: 1500 }, (_, index) => index)
  const rows: [Cell[], [number, number]][] = ['CNU', 'Santa', null].flatMap((name) => [
    ...days.map((day): [Cell[], [number, number]] => [
      [name, null, day, 1],
      [name ? 1 : 0, 1],
    ]),
    [
      [name, null, null, 1500],
      [name ? 1 : 0, 0],
    ] as [Cell[], [number, number]],
  ])
  const answer = { ...data, rows: rows.map(([row]) => row), levels: rows.map(([, level]) => level) }
  const { all } = show({ ...answer, truncated: true })
  expect(all('thead th')).toHaveLength(202)
  expect(all('thead th').at(-1)?.textContent).toBe('Total')
  expect(all('tbody td')).toHaveLength(402)
  expect(all('tbody tr')[0]?.lastElementChild?.textContent).toBe('1.500')
  expect(all('.truncated')[0]?.textContent).toBe(
    'Só as primeiras 4.503 combinações de linha e coluna são mostradas: há mais. Use os filtros para ver as outras. Só 202 das 1.502 colunas são mostradas: exporte os dados para ver todas.',
  )
})
