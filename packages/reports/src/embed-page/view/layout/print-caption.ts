import type { Caption } from '../../state/caption.ts'
import { el } from '../style/dom.ts'
import { textWidth } from '../style/text-width.ts'

/** Font size and line height of the style sheet, in pixels. */
const [SIZE, LINE] = [11, 15]

/**
 * Creates what printed sheets say of the page: its name, the time of the data and the filters below
 * the title, and in browsers with margin boxes the time of the data on every sheet.
 */
export const createPrintCaption = () => {
  const element = el('p', { class: 'print-caption' })
  const margins = new CSSStyleSheet()
  document.adoptedStyleSheets = [...document.adoptedStyleSheets, margins]

  return {
    element,
    /** Returns how many pixels the caption takes from a sheet of this width. */
    show(caption: Caption | undefined, width: number): number {
      const { report = '', page = '', dataTime = '', filters = [] } = caption ?? {}
      const text = [page, dataTime, ...filters].filter(Boolean).join(' · ')
      element.textContent = text
      margins.replaceSync(text ? sheetMargins([report, dataTime].filter(Boolean).join(' · ')) : '')
      return text ? Math.ceil(textWidth(text, SIZE) / (width * FILLED)) * LINE : 0
    },
  }
}

/** The part of a line that words fill on average. */
const FILLED = 0.94

const sheetMargins = (text: string) => `@page {
  @bottom-left { content: ${cssString(text)}; font: 8pt sans-serif; color: #55636f; }
  @bottom-right { content: counter(page) " / " counter(pages); font: 8pt sans-serif; color: #55636f; }
}`

/** Escapes every character that is no letter, digit or space, so that no text ends the string. */
const cssString = (text: string) =>
  `"${text.replace(/[^\p{L}\p{N} ]/gu, (character) => `\\${character.codePointAt(0)?.toString(16)} `)}"`
