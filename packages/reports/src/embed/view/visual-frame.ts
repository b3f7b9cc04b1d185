import type { EmbeddedVisual, VisualData } from '../../embed-contract.ts'
import { EmbedProblem } from '../problem.ts'
import { createCard } from './card.ts'
import { createReadableTable, createTable } from './data-table.ts'
import { el, nextId } from './dom.ts'
import { createNotice } from './notice.ts'
import type { PageLayout } from './page-layout.ts'
import { createSkeleton } from './skeleton.ts'
import type { ValueLooks } from './value-looks.ts'

type Charts = typeof import('./chart.ts')
export type VisualFrame = ReturnType<typeof createVisualFrame>

export interface VisualActions {
  /** A row was picked: a point of a chart, or a cell of a table. */
  picked(visual: EmbeddedVisual, data: VisualData, row: number): void
  retry(): void
}

/** One visual: its heading, and a body that is a skeleton, a drawing, or a sentence about why there is none. */
export function createVisualFrame(
  visual: EmbeddedVisual,
  label: string,
  looks: ValueLooks,
  actions: VisualActions,
) {
  const heading = nextId('title')
  const body = el('div', { class: 'visual-body' }, createSkeleton(visual.type))
  const element = el(
    'section',
    {
      class: `visual visual-${visual.type}`,
      'data-name': visual.name,
      'aria-label': label,
      'aria-busy': 'true',
    },
    el(
      'header',
      {},
      el('h2', { id: heading, title: visual.title }, visual.title),
      visual.subtitle && el('p', { class: 'subtitle', title: visual.subtitle }, visual.subtitle),
    ),
    body,
  )
  let chart: ReturnType<Charts['mountChart']> | undefined
  let drawn: { data: VisualData; host: HTMLElement } | undefined
  let text = 1
  let printed = false

  function clear() {
    chart?.dispose()
    chart = undefined
    drawn = undefined
    body.replaceChildren()
    element.removeAttribute('aria-busy')
  }

  /** Charts keep their instance over new data, so that the change is one movement and not a flash. */
  function draw(data: VisualData, charts: Charts | undefined) {
    const pick = visual.select && ((row: number) => actions.picked(visual, data, row))
    element.removeAttribute('aria-busy')
    if (!data.rows.length) {
      clear()
      body.append(createNotice('Sem dados para os filtros escolhidos'))
    } else if (!charts || visual.type === 'card' || visual.type === 'table') {
      clear()
      if (visual.type === 'table') body.append(createTable(visual, data, looks, pick))
      else body.append(createCard(visual, data), createReadableTable(visual, data, looks))
    } else {
      const host = drawn?.host ?? el('div', { class: 'chart', role: 'img' })
      host.setAttribute('aria-label', chartSummary(visual, data))
      if (!drawn) {
        clear()
        body.append(host)
      }
      body.querySelector('table')?.remove()
      body.append(createReadableTable(visual, data, looks))
      chart ??= charts.mountChart(
        host,
        visual,
        looks,
        (row) => drawn && visual.select && actions.picked(visual, drawn.data, row),
      )
      drawn = { data, host }
      chart.draw(data, sizeOf(host), text, printed, true)
    }
  }

  return {
    element,
    visual,
    /** Puts the visual in its place; a drawn chart follows. */
    place(layout: PageLayout, wholeRow: boolean) {
      const { x, y, width, height } = visual.layout
      text = layout.text
      printed = layout.printed
      element.classList.toggle('whole-row', layout.phone && wholeRow)
      Object.assign(
        element.style,
        layout.phone
          ? { left: '', top: '', width: '', height: '' }
          : {
              left: `${x * layout.x}px`,
              top: `${y * layout.y}px`,
              width: `${width * layout.x}px`,
              height: `${height * layout.y}px`,
            },
      )
    },
    resize() {
      if (drawn) chart?.draw(drawn.data, sizeOf(drawn.host), text, printed, false)
    },
    show(result: VisualData | EmbedProblem, charts: Charts | undefined) {
      if (!(result instanceof EmbedProblem)) return draw(result, charts)
      clear()
      body.append(createNotice('Não foi possível mostrar este visual.', result.message, actions.retry))
    },
    waiting() {
      element.setAttribute('aria-busy', 'true')
    },
    settled() {
      element.removeAttribute('aria-busy')
    },
    dispose: clear,
  }
}

const sizeOf = ({ clientWidth, clientHeight }: HTMLElement) => ({
  width: Math.max(clientWidth, 40),
  height: Math.max(clientHeight, 40),
})

function chartSummary(visual: EmbeddedVisual, { rows }: VisualData): string {
  const count = rows.length === 1 ? '1 ponto' : `${rows.length} pontos`
  return `${kinds[visual.type] ?? 'Gráfico'}: ${visual.title}. ${count}; os dados seguem em uma tabela.`
}

const kinds: Partial<Record<EmbeddedVisual['type'], string>> = {
  line: 'Gráfico de linhas',
  bar: 'Gráfico de barras',
  column: 'Gráfico de colunas',
  donut: 'Gráfico de rosca',
}
