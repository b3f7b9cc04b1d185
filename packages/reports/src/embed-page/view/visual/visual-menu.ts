import type { Cell, EmbeddedVisual, VisualData } from '../../../wire/embed-contract.ts'
import type { MenuCommand } from '../../state/menu-commands.ts'
import { buttonWith, el, setAttributes } from '../style/dom.ts'
import type { ValueFormats } from '../style/value-formats.ts'
import { dataCsv, exportedRows, fileName } from '../tables/data-csv.ts'
import { cutTextsSentence } from '../tables/drawn-columns.ts'
import type { Picture } from './visual-picture.ts'

/** What the menu of a visual needs from its frame. */
export interface MenuOwner {
  /** The visual at its current level: levels have different headings. */
  visual(): EmbeddedVisual
  valueFormats: ValueFormats
  /** The data it shows; undefined when it shows none. */
  data(): VisualData | undefined
  /** The rows in displayed order, when that differs from the data. */
  rows(): Cell[][] | undefined
  /** What the embedder adds. */
  commands(): readonly MenuCommand[]
  trigger(command: string): void
  /** What 'Copiar como imagem' draws; undefined when it shows nothing to draw. */
  picture(): Picture | undefined
  /** Undefined for tables, which have nothing to switch. */
  asTable: { isOn(): boolean; set(on: boolean): void } | undefined
  say(sentence: string): void
}

/** Opens the menu below its button, in the top layer, since a visual clips its content. */
export const openMenu = (button: HTMLElement, owner: MenuOwner) => {
  const items = menuItems(owner).map(({ text, run }) => {
    const choose = () => {
      close()
      run()
    }
    return buttonWith(choose, { class: 'menu-item', role: 'menuitem', tabindex: -1 }, text)
  })
  const menu = el(
    'div',
    { class: 'menu', role: 'menu', popover: 'auto', 'aria-label': `Opções de ${owner.visual().title}` },
    ...items,
  )

  function close() {
    menu.hidePopover()
    button.focus()
  }

  menu.addEventListener('keydown', (event) => {
    const here = items.findIndex((item) => item.matches(':focus'))
    const steps: Record<string, number> = {
      ArrowDown: (here + 1) % items.length,
      ArrowUp: (here - 1 + items.length) % items.length,
      Home: 0,
      End: items.length - 1,
    }
    const next = items[steps[event.key] ?? -1]
    if (event.key === 'Tab') return close()
    if (event.key === 'Escape') close()
    else if (!next) return
    event.preventDefault()
    event.stopPropagation()
    next?.focus()
  })
  menu.addEventListener('toggle', ({ newState }) => {
    if (newState !== 'closed') return
    setAttributes(button, { 'aria-expanded': 'false' })
    menu.remove()
  })

  button.after(menu)
  menu.showPopover()
  positionMenu(menu, button.getBoundingClientRect())
  setAttributes(button, { 'aria-expanded': 'true' })
  items[0]?.focus()
}

const menuItems = (owner: MenuOwner): { text: string; run: () => void }[] => {
  const { asTable } = owner
  const picture = owner.picture()
  return [
    ...(asTable
      ? [
          {
            text: asTable.isOn() ? `Voltar ao ${original(owner.visual())}` : 'Mostrar como tabela',
            run: () => asTable.set(!asTable.isOn()),
          },
        ]
      : []),
    { text: 'Exportar dados (CSV)', run: () => exportData(owner) },
    ...owner.commands().map(({ name, title }) => ({ text: title, run: () => owner.trigger(name) })),
    ...(picture ? [{ text: 'Copiar como imagem', run: () => void copyPicture(owner, picture) }] : []),
  ]
}

const original = ({ type }: EmbeddedVisual) => (type === 'card' ? 'cartão' : 'gráfico')

const exportData = ({ visual, valueFormats, data, rows, say }: MenuOwner) => {
  const shown = data()
  if (!shown) return say('Não há dados para exportar.')
  const exported = rows() ?? exportedRows(visual(), shown)
  const file = fileName(visual(), 'csv')
  save(new Blob([dataCsv(visual(), shown, exported, valueFormats)], { type: 'text/csv;charset=utf-8' }), file)
  say(exportSentence(file, exported.length, shown.truncated, shown.cutTexts))
}

const save = (file: Blob, name: string) => {
  const href = URL.createObjectURL(file)
  el('a', { href, download: name }).click()
  // The browser reads it after this task.
  setTimeout(() => URL.revokeObjectURL(href), 10_000)
}

/**
 * Copies the picture to the clipboard, or saves it where the browser refuses. The clipboard gets a
 * promise, because Safari allows the call only within the click.
 */
const copyPicture = async ({ visual, say }: MenuOwner, picture: Picture) => {
  const drawing = import('./visual-picture.ts').then(({ drawPicture }) => drawPicture(picture))
  // Handled below; the clipboard may refuse before the picture is drawn.
  drawing.catch(() => undefined)
  try {
    await navigator.clipboard.write([new ClipboardItem({ 'image/png': drawing })])
    say('Imagem copiada.')
  } catch {
    try {
      const name = fileName(visual(), 'png')
      save(await drawing, name)
      say(`O navegador não deixou copiar. A imagem foi salva nos seus downloads: ${name}`)
    } catch {
      say('Não foi possível desenhar a imagem. Tente novamente.')
    }
  }
}

export const exportSentence = (file: string, rows: number, truncated: boolean, cutTexts = 0): string => {
  const count = rows === 1 ? '1 linha' : `${rows.toLocaleString('pt-BR')} linhas`
  const said = truncated
    ? `${file}: só as primeiras ${count}. Há mais; use os filtros para exportar as outras.`
    : `${file}: ${count}.`
  return cutTexts > 0 ? `${said} ${cutTextsSentence(cutTexts)}` : said
}

/** Places the menu below the button and within the frame. */
const positionMenu = (menu: HTMLElement, button: DOMRect) => {
  const { offsetWidth, offsetHeight } = menu
  const left = Math.max(Math.min(button.right - offsetWidth, window.innerWidth - offsetWidth - 8), 8)
  const below = button.bottom + 4
  const top = below + offsetHeight > window.innerHeight ? button.top - offsetHeight - 4 : below
  Object.assign(menu.style, { left: `${left}px`, top: `${Math.max(top, 8)}px` })
}
