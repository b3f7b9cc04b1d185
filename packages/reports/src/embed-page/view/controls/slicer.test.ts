import { expect, test, vi } from 'vitest'
import type { EmbeddedVisual, Filter } from '../../../wire/embed-contract.ts'
import { formatCell } from '../style/format.ts'
import { createSlicer } from './slicer.ts'

const target = { table: 'Sinistralidade', column: 'operadora' }
const valueFormats = { PARANA_CLINICAS: { label: 'Paraná Clínicas' } }

const open = async (slicer: Partial<NonNullable<EmbeddedVisual['slicer']>>, truncated = false) => {
  const visual = {
    name: 'operadora',
    type: 'slicer',
    title: 'Operadora',
    slicer: { target, style: 'list', single: false, ...slicer },
  }
  const change = vi.fn<(filters: Filter[]) => void>()
  const load = vi.fn(async () => ({
    values: ['BRADESCO', 'PARANA_CLINICAS'],
    kind: 'text' as const,
    truncated,
  }))
  const made = createSlicer(visual as EmbeddedVisual, valueFormats, load, change)
  document.body.replaceChildren(made.element)
  made.update([])
  await vi.waitFor(() => expect(made.element.querySelectorAll('.value')).toHaveLength(2))
  const boxes = () => [...made.element.querySelectorAll<HTMLInputElement>('.value input')]
  const clear = made.element.querySelector<HTMLButtonElement>('.clear')
  return {
    made,
    change,
    load,
    boxes,
    clear,
    search: made.element.querySelector<HTMLInputElement>('[type=search]'),
  }
}

test('the slicer lists values by their labels, adds checked values, and clears the filter in force', async () => {
  const { made, change, boxes, clear, search } = await open({})
  expect([...made.element.querySelectorAll('.value')].map(({ textContent }) => textContent)).toEqual([
    'BRADESCO',
    'Paraná Clínicas',
  ])
  expect([search?.hidden, clear?.hidden]).toEqual([true, true])
  boxes()[1]?.click()
  const [first = []] = change.mock.lastCall ?? []
  expect(first).toMatchObject([{ target, operator: 'In', values: ['PARANA_CLINICAS'] }])
  made.update(first)
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true])
  boxes()[0]?.click()
  expect(change.mock.lastCall).toMatchObject([[{ values: ['PARANA_CLINICAS', 'BRADESCO'] }]])
  expect(clear?.hidden).toBe(false)
  clear?.click()
  expect(change.mock.lastCall).toEqual([[]])
})

test('the slicer takes one value at a time when it is single', async () => {
  const { made, change, boxes } = await open({ single: true })
  expect(boxes().map(({ type }) => type)).toEqual(['radio', 'radio'])
  boxes()[0]?.click()
  made.update(change.mock.lastCall?.[0] ?? [])
  boxes()[1]?.click()
  expect(change.mock.lastCall).toMatchObject([[{ values: ['PARANA_CLINICAS'] }]])
})

test('the slicer lists the values of new data, and keeps the focus', async () => {
  const { made, load, boxes } = await open({})
  boxes()[1]?.focus()
  load.mockResolvedValueOnce({
    values: ['AMIL', 'BRADESCO', 'PARANA_CLINICAS'],
    kind: 'text',
    truncated: false,
  })
  made.refresh()
  await vi.waitFor(() => expect(boxes()).toHaveLength(3))
  expect(document.activeElement?.getAttribute('data-value')).toBe('PARANA_CLINICAS')
})

test('a slicer has a search box when its style asks for it, and when the list is truncated', async () => {
  expect((await open({ style: 'search' })).search?.hidden).toBe(false)
  expect((await open({}, true)).search?.hidden).toBe(false)
})

test('the slicer checks every spelling that a filter without case keeps, and sends the exact ones', async () => {
  const { made, change, load, boxes } = await open({})
  load.mockResolvedValueOnce({ values: ['AMIL', 'CURITIBA', 'Curitiba'], kind: 'text', truncated: false })
  made.refresh()
  await vi.waitFor(() => expect(boxes()).toHaveLength(3))
  const given: Filter = { target, operator: 'In', values: ['curitiba'] }
  made.update([given])
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true, true])
  boxes()[2]?.click()
  expect(change.mock.lastCall).toMatchObject([[{ values: ['CURITIBA'], matchCase: true }]])
  made.update(change.mock.lastCall?.[0] ?? [])
  expect(boxes().map(({ checked }) => checked)).toEqual([false, true, false])
})

test('the slicer goes on without case where the list may have left out a spelling', async () => {
  const { made, change, boxes } = await open({}, true)
  made.update([{ target, operator: 'In', values: ['amil'] }])
  expect(boxes().map(({ checked }) => checked)).toEqual([true, false, false])
  boxes()[1]?.click()
  expect(change.mock.lastCall).toMatchObject([[{ values: ['amil', 'BRADESCO'], matchCase: false }]])
})

test('the slicer writes negative numbers as tables do', async () => {
  const { made, load, boxes } = await open({})
  load.mockResolvedValueOnce({
    values: [-1234.5, '-12345678901234567890', 3],
    kind: 'number',
    truncated: false,
  } as never)
  made.refresh()
  await vi.waitFor(() => expect(boxes()).toHaveLength(3))
  const texts = [...made.element.querySelectorAll('.value')].map(({ textContent }) => textContent)
  expect(texts).toEqual(['−1.234,5', '−12.345.678.901.234.567.890', '3'])
  expect(texts.slice(0, 2)).toEqual([formatCell(-1234.5), formatCell('-12345678901234567890')])
})
