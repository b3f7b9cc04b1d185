import { describe, expect, test, vi } from 'vitest'
import type { Filter } from '../../../wire/embed-contract.ts'
import { createDateRange, rangeFilter, readDate, readRange, writeDate } from './date-range.ts'

const target = { table: 'Sinistralidade', column: 'data' }

describe('readDate and writeDate', () => {
  test.each([
    ['31/05/2024', '2024-05-31'],
    ['1/5/24', '2024-05-01'],
    ['29.02.2024', '2024-02-29'],
    ['31/06/2024', undefined],
    ['29/02/2023', undefined],
    ['05/31/2024', undefined],
    ['2024-05-31', undefined],
    ['ontem', undefined],
  ])('readDate reads %s', (text, date) => {
    expect(readDate(text)).toBe(date)
  })

  test('writeDate writes a date with leading zeros', () => {
    expect(writeDate('2024-05-01')).toBe('01/05/2024')
  })
})

describe('rangeFilter and readRange', () => {
  test('rangeFilter and readRange build an advanced filter of one or two conditions, and none without dates', () => {
    const conditions = (from?: string, to?: string, time = false) => {
      const filter = rangeFilter(target, [from, to], time)
      return filter && 'conditions' in filter ? filter.conditions : filter
    }
    expect(conditions('2024-01-01', '2024-12-31')).toEqual([
      { operator: 'GreaterThanOrEqual', value: '2024-01-01' },
      { operator: 'LessThanOrEqual', value: '2024-12-31' },
    ])
    expect(conditions(undefined, '2024-12-31', true)).toEqual([{ operator: 'LessThan', value: '2025-01-01' }])
    expect(conditions()).toBeUndefined()
  })

  test.each([true, false])(
    'rangeFilter and readRange read a range back from its filter (instants: %s)',
    (time) => {
      const range: [string, string] = ['2024-02-01', '2024-02-29']
      expect(readRange(rangeFilter(target, range, time))).toEqual(range)
    },
  )
})

describe('the two date fields', () => {
  const open = async () => {
    const chosen = vi.fn<(filter: Filter | undefined) => void>()
    const asked = vi.fn(async () => ({
      values: ['2023-01-01', '2024-10-31'],
      kind: 'date' as const,
      truncated: false,
    }))
    const picker = createDateRange(target, 'Período', asked, chosen)
    document.body.replaceChildren(picker.element)
    picker.open()
    await vi.waitFor(() => expect(picker.element.textContent).toContain('Há dados'))
    const [from, to] = [...picker.element.querySelectorAll('input')]
    const write = (input: HTMLInputElement | undefined, value: string) => {
      if (!input) throw new Error('the field is missing')
      input.value = value
      input.dispatchEvent(new Event('change'))
    }
    return { picker, chosen, asked, from, to, write, hint: () => picker.element.querySelector('.hint') }
  }

  test('the two date fields show the range of the data, which is fetched once', async () => {
    const { picker, asked, hint } = await open()
    picker.open()
    expect(asked.mock.calls).toEqual([[{ target, bounds: true }, expect.any(AbortSignal)]])
    expect(hint()?.textContent).toBe('Há dados de 01/01/2023 a 31/10/2024.')
  })

  test('the two date fields apply valid dates, and say what is wrong with others', async () => {
    const { chosen, from, to, write, hint, picker } = await open()
    write(from, '01/03/2024')
    expect(chosen).toHaveBeenLastCalledWith(rangeFilter(target, ['2024-03-01', undefined], false))
    picker.update(chosen.mock.lastCall?.[0])
    write(to, '31/02/2024')
    expect([hint()?.textContent, to?.getAttribute('aria-invalid')]).toEqual([
      'Esta data não existe: escreva dd/mm/aaaa.',
      'true',
    ])
    write(to, '01/02/2024')
    expect(hint()?.textContent).toBe('A data final vem antes da inicial.')
    expect(chosen).toHaveBeenCalledTimes(1)
    write(to, '30/04/2024')
    expect(chosen).toHaveBeenLastCalledWith(rangeFilter(target, ['2024-03-01', '2024-04-30'], false))
    expect(to?.getAttribute('aria-invalid')).toBeNull()
  })

  test('the two date fields are emptied when the filter is cleared elsewhere', async () => {
    const { picker, from } = await open()
    picker.update(rangeFilter(target, ['2024-03-01', undefined], false))
    expect(from?.value).toBe('01/03/2024')
    picker.update(undefined)
    expect(from?.value).toBe('')
  })
})
