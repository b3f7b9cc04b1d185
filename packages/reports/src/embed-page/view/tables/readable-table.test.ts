import { expect, test } from 'vitest'
import type { EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { createReadableTable } from './readable-table.ts'

const visual = {
  name: 'v',
  type: 'column',
  title: 'Custo',
  format: {},
  labels: {},
  option: {},
  conditional: {},
} as unknown as EmbeddedVisual

test('the readable table says how many rows and columns it leaves out', () => {
  const table = (rows: number, columns: number) =>
    createReadableTable(
      visual,
      answerOf({
        columns: Array.from({ length: columns }, (_, index) => `c${index}`),
        rows: Array.from({ length: rows }, () => Array<number>(columns).fill(1)),
        truncated: false,
      }),
      {},
    )
  const wide = table(60, 500)
  expect(wide.caption?.textContent).toBe(
    'Dados: Custo (as primeiras 50 de 60 linhas e as primeiras 50 de 500 colunas)',
  )
  expect([wide.querySelectorAll('th').length, wide.querySelectorAll('td').length]).toEqual([50, 2500])
  expect(table(50, 50).caption?.textContent).toBe('Dados: Custo')
})
