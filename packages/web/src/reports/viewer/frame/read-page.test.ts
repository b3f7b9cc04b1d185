import type { Report } from 'powerbi-client'
import { expect, test, vi } from 'vitest'
import { readPage } from './read-page.ts'

const basic = (column: string) => ({
  target: { table: 'T', column },
  filterType: 1,
  operator: 'In',
  values: ['x'],
})

interface VisualStub {
  title?: string
  type?: string
  y?: number
  isHidden?: boolean
  data?: () => Promise<unknown>
  filters?: unknown[]
  slicer?: () => Promise<unknown>
}

/** A report as powerbi-client gives it; `asked` lists the exports, in order. */
const setUp = (visuals: Record<string, VisualStub>) => {
  const asked: string[] = []
  let under = 0
  const page = {
    name: 'p1',
    displayName: 'Geral',
    getFilters: async () => [basic('pagina')],
    getVisuals: async () =>
      Object.entries(visuals).map(([name, stub]) => ({
        name,
        title: stub.title ?? name,
        type: stub.type ?? 'tableEx',
        layout: { x: 0, y: stub.y ?? 0, displayState: { mode: stub.isHidden ? 1 : 0 } },
        getFilters: async () => stub.filters ?? [],
        getSlicerState: stub.slicer ?? (async () => ({ filters: [] })),
        exportData: async (type: number, rows: number) => {
          expect(under, 'exports at a time').toBe(0)
          under += 1
          asked.push(`${name} ${type} ${rows}`)
          await new Promise((resolve) => setTimeout(resolve))
          under -= 1
          return (await stub.data?.()) ?? { data: 'a\r\n1\r\n' }
        },
      })),
  }
  const report = { getPages: async () => [page], getFilters: async () => [basic('relatorio')] }
  const progress: number[] = []
  const read = (visual: string | null = null, options = {}) =>
    readPage(report as unknown as Report, {
      page: 'p1',
      visual,
      signal: new AbortController().signal,
      onProgress: (percent) => progress.push(percent),
      ...options,
    })
  return { read, asked, progress }
}

test('readPage reads the summarised rows of the visuals with data, one after the other, as they are on the page', async () => {
  const { read, asked, progress } = setUp({
    below: { y: 200 },
    above: { y: 10, title: '' },
    hidden: { isHidden: true },
    text: { type: 'textbox' },
    button: { type: 'actionButton' },
    uf: { type: 'slicer', title: 'Estado', slicer: async () => ({ filters: [basic('uf')] }) },
    month: { type: 'advancedSlicerVisual', title: 'Mês' },
  })
  const { title, visuals, filters } = await read()
  expect(title).toBe('Geral')
  expect(visuals).toEqual([
    { title: 'tableEx', csv: 'a\r\n1\r\n' },
    { title: 'below', csv: 'a\r\n1\r\n' },
  ])
  expect(asked).toEqual(['above 0 30000', 'below 0 30000'])
  expect(progress).toEqual([50, 100])
  expect(filters).toEqual([
    { filters: [basic('relatorio')] },
    { filters: [basic('pagina')] },
    { slicer: 'Estado', filters: [basic('uf')] },
    { slicer: 'Mês', filters: [] },
    { visual: 'tableEx', filters: [] },
    { visual: 'below', filters: [] },
  ])
})

test('readPage reads one visual, with the filters that apply to it', async () => {
  const { read, asked } = setUp({ one: { filters: [basic('dele')] }, other: {} })
  const { visuals, filters } = await read('one')
  expect(visuals.map(({ title }) => title)).toEqual(['one'])
  expect(asked).toHaveLength(1)
  expect(filters.at(-1)).toEqual({ visual: 'one', filters: [basic('dele')] })
})

test('readPage goes on after a visual that Power BI does not export, and says why', async () => {
  vi.spyOn(console, 'info').mockReturnValue(undefined)
  const { read } = setUp({
    r: { data: () => Promise.reject({ message: 'exportDataNotSupported' }) },
    none: { data: async () => ({}) },
    good: {},
    s: { type: 'slicer', slicer: () => Promise.reject({ message: 'x' }) },
  })
  const { visuals, filters } = await read()
  expect(visuals).toEqual([
    { title: 'r', fault: 'o Power BI não exporta os dados deste visual (exportDataNotSupported).' },
    { title: 'none', fault: 'o Power BI respondeu sem os dados.' },
    { title: 'good', csv: 'a\r\n1\r\n' },
  ])
  expect(filters).toContainEqual({ slicer: 's', filters: undefined })
})

test('readPage gives up a visual without an answer after two minutes', async () => {
  vi.useFakeTimers()
  try {
    const { read } = setUp({ slow: { data: () => new Promise(() => undefined) } })
    const reading = read()
    await vi.advanceTimersByTimeAsync(125_000)
    expect((await reading).visuals).toEqual([{ title: 'slow', fault: 'o Power BI não respondeu a tempo.' }])
  } finally {
    vi.useRealTimers()
  }
})

test('readPage refuses to mix rows of different filters', async () => {
  const values = ['SP']
  const { read } = setUp({
    one: {
      data: async () => {
        values.push('RJ')
        return { data: '' }
      },
    },
    uf: { type: 'slicer', slicer: async () => ({ filters: [{ ...basic('uf'), values: [...values] }] }) },
  })
  await expect(read()).rejects.toThrow('Os filtros mudaram durante a exportação.')
})

test('readPage stops when the reader cancels, and refuses a page that is gone', async () => {
  const life = new AbortController()
  const { read, asked } = setUp({
    one: {
      data: async () => {
        life.abort()
        return { data: '' }
      },
    },
    two: {},
  })
  await expect(read(null, { signal: life.signal })).rejects.toThrow('abort')
  expect(asked).toHaveLength(1)
  await expect(read(null, { page: 'outra' })).rejects.toThrow('A página não existe mais')
})
