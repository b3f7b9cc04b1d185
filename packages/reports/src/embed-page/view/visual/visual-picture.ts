import type { Caption } from '../../state/caption.ts'
import { chartTheme } from '../style/report-colors.ts'
import { textWidth } from '../style/text-width.ts'
import { fontFamily, type ReportTheme, type Theme } from '../style/theme.ts'

/** A chart or a card as it is on the screen. */
export interface Picture {
  element: HTMLElement
  body: HTMLElement
  title: string
  /** The tone of a card's number, in a word. */
  verdict: string
  subtitle: string | undefined
  /** The sentences below a chart. */
  notes?: readonly string[] | undefined
  /** The embedder's colours. */
  theme: ReportTheme | undefined
  /** Draws the chart; undefined for a card. */
  chart: ((pixelRatio: number) => HTMLCanvasElement | undefined) | undefined
  caption: Caption
}

/** Device pixels per CSS pixel: sharp on paper and in slides. */
const SHARPNESS = 2
const MARGIN = 20
const [NARROWEST, GAP, LEGEND] = [360, 12, 26]

/**
 * Draws a picture of a visual with its title, and below it the report, the filters and the time of
 * the data. Parts that are HTML on the screen are drawn again from their texts and colours: a
 * browser does not let a canvas with HTML be read.
 */
export const drawPicture = async (picture: Picture): Promise<Blob> => {
  await document.fonts.ready
  const theme = chartTheme(picture.theme, false)
  const chart = picture.chart?.(SHARPNESS)
  const legend = picture.body.querySelector<HTMLElement>('.heat-legend')
  const content = chart
    ? { width: chart.width / SHARPNESS, height: chart.height / SHARPNESS + (legend ? LEGEND : 0) }
    : { width: picture.element.clientWidth - 2 * MARGIN, height: CARD_HEIGHT }
  const inner = Math.max(content.width, NARROWEST)
  const texts = blocksOf(picture, theme, inner)
  const canvas = document.createElement('canvas')
  canvas.width = (inner + 2 * MARGIN) * SHARPNESS
  canvas.height =
    (heightOf(texts.head) + content.height + heightOf(texts.foot) + 2 * GAP + 2 * MARGIN) * SHARPNESS
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser has no canvas')
  context.scale(SHARPNESS, SHARPNESS)
  context.textBaseline = 'top'
  context.fillStyle = theme.surface
  context.fillRect(0, 0, canvas.width, canvas.height)
  let y = write(context, texts.head, MARGIN) + GAP
  if (chart) {
    if (legend) y = drawLegend(context, legend, theme, inner, y)
    const height = chart.height / SHARPNESS
    context.drawImage(chart, MARGIN, y, chart.width / SHARPNESS, height)
    y += height
  } else y = drawCard(context, picture.body, theme, inner, y)
  write(context, texts.foot, y + GAP)
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  )
}

/** A paragraph whose lines fit. */
interface Block {
  lines: string[]
  size: number
  weight: number
  color: string
}

const LINE = 1.35
const heightOf = (blocks: Block[]) =>
  blocks.reduce((sum, { lines, size }) => sum + Math.ceil(lines.length * size * LINE), 0)

const blocksOf = (
  { title, verdict, subtitle, notes = [], caption }: Picture,
  theme: Theme,
  width: number,
) => {
  const block = (text: string | undefined, size: number, weight: number, color: string): Block[] =>
    text ? [{ lines: wrapped(text, width, size, weight), size, weight, color }] : []
  const { report, page, dataTime, filters } = caption
  return {
    head: [
      ...block([title, verdict].filter(Boolean).join(': '), 17, 700, theme.strong),
      ...block(subtitle, 12.5, 400, theme.muted),
    ],
    foot: [
      ...block(notes.join(' '), 11.5, 400, theme.muted),
      ...block(`${report} · ${page}`, 11.5, 600, theme.muted),
      ...block(filters.join(' · '), 11.5, 400, theme.muted),
      ...block(dataTime && `${dataTime} (horário de Brasília)`, 11.5, 400, theme.muted),
    ],
  }
}

const wrapped = (text: string, width: number, size: number, weight: number): string[] => {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(/\s+/)) {
    const longer = line ? `${line} ${word}` : word
    if (line && textWidth(longer, size, weight) > width) {
      lines.push(line)
      line = word
    } else line = longer
  }
  return [...lines, line]
}

/** Writes the blocks from `y` down; returns where they end. */
const write = (context: CanvasRenderingContext2D, blocks: Block[], y: number): number => {
  let at = y
  for (const { lines, size, weight, color } of blocks) {
    context.font = `${weight} ${size}px ${fontFamily}`
    context.fillStyle = color
    for (const [index, line] of lines.entries()) context.fillText(line, MARGIN, at + index * size * LINE)
    at += Math.ceil(lines.length * size * LINE)
  }
  return at
}

/** The colour scale of a heat map, at the right above it; returns where it ends. */
const drawLegend = (
  context: CanvasRenderingContext2D,
  legend: HTMLElement,
  { scale, muted }: Theme,
  width: number,
  y: number,
): number => {
  const [name = '', least = '', greatest = ''] = [...legend.querySelectorAll('span:not(.heat-strip)')].map(
    ({ textContent }) => textContent ?? '',
  )
  const strip = 120
  const wide = (text: string) => textWidth(text, 11.5)
  const start = MARGIN + width - wide(name) - wide(least) - wide(greatest) - strip - 3 * 8
  context.font = `400 11.5px ${fontFamily}`
  context.fillStyle = muted
  context.fillText(name, start, y)
  context.fillText(least, start + wide(name) + 8, y)
  const left = start + wide(name) + wide(least) + 16
  context.fillText(greatest, left + strip + 8, y)
  const shades = context.createLinearGradient(left, 0, left + strip, 0)
  for (const [index, color] of scale.entries()) shades.addColorStop(index / (scale.length - 1), color)
  context.fillStyle = shades
  context.fillRect(left, y + 2, strip, 10)
  return y + LEGEND
}

const CARD_HEIGHT = 84

/** The number of a card with its trend, gauge and notes; returns where they end. */
const drawCard = (
  context: CanvasRenderingContext2D,
  body: HTMLElement,
  theme: Theme,
  width: number,
  y: number,
): number => {
  const textOf = (name: string) => body.querySelector(name)?.textContent ?? ''
  const value = textOf('.card-value')
  const size = Math.min(40, (40 * width) / Math.max(1, textWidth(value, 40, 700)))
  context.font = `700 ${size}px ${fontFamily}`
  context.fillStyle = theme.strong
  context.fillText(value, MARGIN, y)
  drawTrend(context, body, MARGIN + textWidth(value, size, 700) + 24, MARGIN + width, y + 4)
  drawGauge(context, body, theme, width, y + 52)
  drawNotes(context, body, theme, y + 66)
  return y + CARD_HEIGHT
}

/** What the card says below its number: a change has the colour and the arrow of its direction. */
const drawNotes = (context: CanvasRenderingContext2D, body: HTMLElement, theme: Theme, y: number) => {
  let x = MARGIN
  const say = (text: string, color: string, weight: number) => {
    context.font = `${weight} 12.5px ${fontFamily}`
    context.fillStyle = color
    context.fillText(text, x, y)
    x += textWidth(text, 12.5, weight) + 6
  }
  const fault = body.querySelector('.card-fault')?.textContent
  if (fault) say(fault, theme.muted, 400)
  const detail = body.querySelector('.card-detail')?.textContent
  const change = body.querySelector('.card-change')
  const delta = change?.querySelector('.delta')
  if (detail) say(change ? `${detail} ·` : detail, theme.muted, 400)
  if (!change || !delta) return
  const text = delta.textContent ?? ''
  const arrow = text.startsWith('+') ? '▲ ' : text.startsWith('−') ? '▼ ' : ''
  say(arrow + text, getComputedStyle(delta).color, 700)
  say((change.textContent ?? '').slice(text.length).trim(), theme.muted, 400)
}

const drawTrend = (
  context: CanvasRenderingContext2D,
  body: HTMLElement,
  left: number,
  right: number,
  y: number,
) => {
  if (right - left < 60) return
  // One line on each side of a gap.
  for (const line of body.querySelectorAll<SVGElement>('.sparkline-line')) {
    context.strokeStyle = getComputedStyle(line).stroke
    context.lineWidth = 1.6
    context.beginPath()
    for (const point of line.getAttribute('points')?.split(' ') ?? []) {
      const [x = 0, height = 0] = point.split(',').map(Number)
      context.lineTo(left + (x / 100) * (right - left), y + height)
    }
    context.stroke()
  }
}

const drawGauge = (
  context: CanvasRenderingContext2D,
  body: HTMLElement,
  theme: Theme,
  width: number,
  y: number,
) => {
  const gauge = body.querySelector<HTMLElement>('.card-gauge')
  if (!gauge) return
  const share = Number.parseFloat(gauge.style.getPropertyValue('--share-of-it')) / 100
  const isScale = gauge.classList.contains('by-scale')
  context.fillStyle = theme.grid
  context.fillRect(MARGIN, y, width, 6)
  context.fillStyle = theme.palette[0] ?? theme.strong
  if (isScale) context.fillRect(MARGIN + width * share - 2, y - 2, 4, 10)
  else context.fillRect(MARGIN, y, width * share, 6)
}
