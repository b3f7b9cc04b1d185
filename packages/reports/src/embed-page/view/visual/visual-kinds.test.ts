import { getInstanceByDom } from 'echarts/core'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { QueryType } from '../../../definitions/visual-types.ts'
import type { EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import { problem } from '../../state/problem.ts'
import { answerOf } from '../../test/answer-of.ts'
import { paintOnShow, stubCanvas } from '../../test/canvas-fixture.ts'
import * as charts from '../charts/chart.ts'
import { createVisualFrame } from './visual-frame.ts'

/* What all types of visuals share: no rows, failure, drawing after that, and the table view. */

type Kind = QueryType
const rows = (columns: string[], ...rows: VisualData['rows']): VisualData =>
  answerOf({
    columns,
    rows,
    truncated: false,
  })
const bars = rows(['operadora', 'custo'], ['CNU', 2], ['BRADESCO', 1])
const piles = rows(['operadora', 'eletiva', 'urgencia'], ['CNU', 20, 10], ['BRADESCO', 10, 10])
/** Rows by type; the type check requires an entry for every new type. */
const kinds: Record<Kind, VisualData> = {
  card: rows(['custo'], [3]),
  line: bars,
  area: bars,
  bar: bars,
  column: bars,
  stackedBar: piles,
  stackedColumn: piles,
  donut: bars,
  scatter: rows(['hospital', 'vidas', 'custo'], ['Serra', 10, 4], ['Ipê', 30, 1]),
  heatmap: rows(['hora', 'dia', 'atendimentos'], [9, 'dom', 4], [10, 'dom', 8], [9, 'seg', 6]),
  table: bars,
  matrix: {
    ...rows(['operadora', 'custo'], ['CNU', 2], ['BRADESCO', 1], [null, 3]),
    levels: [
      [1, 0],
      [1, 0],
      [0, 0],
    ],
  },
}
const all = Object.keys(kinds) as Kind[]
const isGrid = (kind: Kind) => kind === 'table' || kind === 'matrix'
const isChart = (kind: Kind) => kind !== 'card' && !isGrid(kind)

const open = (type: Kind, more: Partial<EmbeddedVisual> = {}) => {
  const visual: EmbeddedVisual = {
    name: 'custo',
    type,
    title: 'Custo',
    layout: { x: 0, y: 0, width: 600, height: 300 },
    format: {},
    labels: {},
    option: {},
    conditional: {},
    ignoresSelection: false,
    columns: [],
    ...(type === 'matrix' && {
      matrix: { rows: ['operadora'], columns: [], values: ['custo'], subtotals: true },
    }),
    ...more,
  }
  const actions = {
    picked: vi.fn(),
    clearPick: vi.fn(),
    drillTo: vi.fn(),
    retry: vi.fn(),
    slice: vi.fn(),
    loadValues: vi.fn(),
    press: vi.fn(),
    command: vi.fn(),
    caption: () => ({ report: 'Custos', page: 'Geral', dataTime: '', filters: [] }),
  }
  const frame = paintOnShow(createVisualFrame(visual, visual.title, {}, actions))
  const { element } = frame
  document.body.replaceChildren(element)
  const texts = (selector: string) =>
    [...element.querySelectorAll(selector)].map(({ textContent }) => textContent)
  /** Returns what the body shows. */
  const shown = () => {
    const notice = element.querySelector('.notice')
    if (notice) return { notice: notice.textContent, role: notice.getAttribute('role') }
    const plot = element.querySelector<HTMLElement>('.plot')
    return {
      painted: plot ? (getInstanceByDom(plot)?.getZr().storage.getDisplayList(true).length ?? 0) > 0 : false,
      readable: texts('table.readable tbody tr').length,
      cells: texts('.grid tbody tr').length,
    }
  }
  const menu = async () => {
    element.querySelector<HTMLElement>('.more')?.click()
    await vi.waitFor(() => expect(element.querySelector('.menu-item')).not.toBeNull())
    const items = [...element.querySelectorAll<HTMLElement>('.menu-item')]
    const press = (text: string) => items.find(({ textContent }) => textContent === text)?.click()
    return { items: items.map(({ textContent }) => textContent), press }
  }
  return { frame, element, shown, texts, menu, retry: actions.retry }
}
const drawnAs = (kind: Kind) => ({
  painted: isChart(kind),
  readable: isGrid(kind) ? 0 : kinds[kind].rows.length,
  // The total of a matrix is below its rows.
  cells: isGrid(kind) ? bars.rows.length : 0,
})

beforeEach(() => {
  stubCanvas()
  // As in the build: otherwise ECharts insists on colouring the cells of a heat map itself.
  vi.stubEnv('NODE_ENV', 'production')
  // happy-dom lacks the popover API.
  Object.assign(HTMLElement.prototype, {
    showPopover() {},
    hidePopover(this: HTMLElement) {
      this.dispatchEvent(Object.assign(new Event('toggle'), { newState: 'closed' }))
    },
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllEnvs()
})

describe.each(all)('a visual of type %s', (kind) => {
  const nothing = { ...kinds[kind], rows: [], ...(kinds[kind].levels && { levels: [] }) }

  test('a visual says that it has no rows, and is drawn when rows arrive', () => {
    const { frame, shown } = open(kind)
    frame.show(nothing, charts)
    expect(shown()).toEqual({ notice: 'Sem dados para os filtros escolhidos', role: 'status' })
    frame.show(kinds[kind], charts)
    expect(shown()).toEqual(drawnAs(kind))
    frame.show(nothing, charts)
    expect(shown()).toMatchObject({ role: 'status' })
  })

  test('a visual says that it failed, retries itself, and is drawn when rows arrive', () => {
    const { frame, element, shown, retry } = open(kind)
    frame.show(kinds[kind], charts)
    frame.show(problem(500, 'QueryFailed', 'A consulta deste visual falhou.'), charts)
    expect(shown()).toEqual({
      notice: 'Não foi possível mostrar este visual.A consulta deste visual falhou.Tentar novamente',
      role: 'alert',
    })
    element.querySelector<HTMLElement>('.retry')?.click()
    expect(retry.mock.calls).toEqual([['custo']])
    frame.show(kinds[kind], charts)
    expect(shown()).toEqual(drawnAs(kind))
  })
})

describe('the menu of a visual', () => {
  test.each(all.filter((kind) => !isGrid(kind)))(
    'the menu of a visual shows the rows of a %s as a table, updates it with new rows, and returns to the drawing',
    async (kind) => {
      const { frame, shown, texts, menu } = open(kind)
      frame.show(kinds[kind], charts)
      const first = await menu()
      expect(first.items).toEqual(['Mostrar como tabela', 'Exportar dados (CSV)', 'Copiar como imagem'])
      first.press('Mostrar como tabela')
      const count = kinds[kind].rows.length
      await vi.waitFor(() => expect(shown()).toEqual({ painted: false, readable: 0, cells: count }))
      expect(texts('.grid thead th')).toHaveLength(kinds[kind].columns.length)

      frame.show({ ...kinds[kind], rows: kinds[kind].rows.slice(0, 1) }, charts)
      expect(shown()).toMatchObject({ cells: 1 })
      expect(texts('.grid tbody td, .grid tbody th')).toEqual(kinds[kind].rows[0]?.map(String))

      frame.show(kinds[kind], charts)
      const second = await menu()
      expect(second.items).not.toContain('Copiar como imagem')
      second.press(kind === 'card' ? 'Voltar ao cartão' : 'Voltar ao gráfico')
      await vi.waitFor(() => expect(shown()).toEqual(drawnAs(kind)))
    },
  )

  test('the menu of a visual writes numbers in full in the table view', async () => {
    const { frame, texts, menu } = open('bar', { format: { custo: 'moedaCurta', vidas: 'curto' } })
    frame.show(rows(['operadora', 'custo', 'vidas'], ['CNU', 4_147_605.89, 12_345.678]), charts)
    ;(await menu()).press('Mostrar como tabela')
    await vi.waitFor(() => expect(texts('.grid tbody td, .grid tbody th')).toHaveLength(3))
    expect(texts('.grid tbody td, .grid tbody th').map((text) => text?.replace('\u00a0', ' '))).toEqual([
      'CNU',
      'R$ 4.147.605,89',
      '12.345,68',
    ])
  })

  test.each(all.filter(isGrid))('the menu of a visual does not offer a table view for a %s', async (kind) => {
    const { frame, menu } = open(kind)
    frame.show(kinds[kind], charts)
    expect((await menu()).items).toEqual(['Exportar dados (CSV)'])
  })
})
