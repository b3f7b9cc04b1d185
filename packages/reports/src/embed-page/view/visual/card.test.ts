import { expect, test } from 'vitest'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { answerOf } from '../../test/answer-of.ts'
import { alignCards } from './align-cards.ts'
import { createCard, createVerdict } from './card.ts'

const visual = {
  name: 'custo',
  type: 'card',
  title: 'Custo',
  format: { custo: 'moeda' },
  labels: {},
  option: {},
  conditional: { custo: { kind: 'rules', rules: [{ operator: '>', value: 1, tone: 'bad' }] } },
} as unknown as EmbeddedVisual
const data = (custo: number): VisualData =>
  answerOf({ columns: ['nota', 'custo'], rows: [['a', custo]], truncated: false })

test.each([
  [Number.NaN, 'não é um número'],
  [Number.POSITIVE_INFINITY, 'infinito'],
])('the card says that %s is not a number, and why, without a verdict', (value, text) => {
  const card = createCard(visual, data(value))
  expect(card.querySelector('.card-value')?.textContent).toBe(text)
  expect(card.querySelector('.card-fault')?.textContent).toBe('Divisão por zero ou dado que não é número.')
  expect(createVerdict(visual, data(value))).toBeUndefined()
})

test('the card says nothing of a number', () => {
  expect(createCard(visual, data(-0.001)).querySelector('.card-value')?.textContent).toBe('R$\u00a00,00')
  expect(createCard(visual, data(5)).querySelector('.card-fault')).toBeNull()
  expect(createVerdict(visual, data(5))?.textContent).toBe('Crítico')
})

test('the trend keeps the place of a missing value as a gap', () => {
  const trend = { ...visual, option: { trend: 'custo' } } as EmbeddedVisual
  const draw = (...values: (number | null)[]) => {
    const rows = values.map((value) => ['a', value])
    const card = createCard(trend, answerOf({ columns: ['nota', 'custo'], rows, truncated: false }))
    return [...card.querySelectorAll('.sparkline-line')].map((line) => line.getAttribute('points'))
  }
  expect(draw(0, 1, null, 1, 0)).toEqual(['0.00,29.00 25.00,3.00', '75.00,3.00 100.00,29.00'])
  expect(draw(0, 1, 0)).toEqual(['0.00,29.00 50.00,3.00 100.00,29.00'])
  expect(draw(1, null)).toEqual([])
})

test('cards share the size of the longest value, except one whose size would hardly be legible', () => {
  const page = document.createElement('div')
  const exact = answerOf({
    columns: ['custo'],
    kinds: ['number'],
    rows: [['86419752308664740.13']],
    truncated: false,
  })
  const trend = { ...visual, option: { trend: 'custo' } } as EmbeddedVisual
  const rising = answerOf({ columns: ['custo'], rows: [[1], [2]], truncated: false })
  page.append(createCard(visual, data(5)), createCard(visual, exact), createCard(trend, rising))
  alignCards(page)
  const sizes = [...page.querySelectorAll<HTMLElement>('.card-value')].map((value) => [
    value.style.getPropertyValue('--characters'),
    value.closest('.card-body')?.matches('.shared-trend, .with-trend'),
  ])
  expect(sizes).toEqual([
    ['7', true],
    ['28', false],
    ['7', true],
  ])
})
