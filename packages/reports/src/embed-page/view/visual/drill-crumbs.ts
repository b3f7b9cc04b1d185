import type { Cell, EmbeddedVisual } from '../../../wire/embed-contract.ts'
import { levelFormat } from '../style/column-format.ts'
import { buttonWith, el } from '../style/dom.ts'
import { nameText, type ValueFormats } from '../style/value-formats.ts'

/** Creates breadcrumbs for a hierarchy, such as 'Tudo › Bradesco', to go back up. */
export const createDrillCrumbs = (
  visual: EmbeddedVisual,
  valueFormats: ValueFormats,
  open: (path: Cell[]) => void,
) => {
  const levels = visual.drill?.levels ?? []
  const list = el('ol')
  const hint = el('span', { class: 'crumb-hint' })
  const element = el('nav', { class: 'crumbs', 'aria-label': `Níveis de ${visual.title}` }, list, hint)

  let shown: readonly Cell[] | undefined

  function show(path: readonly Cell[]) {
    if (path === shown) return
    shown = path
    const names = [
      'Tudo',
      ...path.map((value, level) => nameText(value, levelFormat(visual, level, value), valueFormats)),
    ]
    const hadFocus = list.contains(document.activeElement)
    list.replaceChildren(
      ...names.map((name, depth) => {
        if (depth === path.length)
          return el('li', {}, el('span', { 'aria-current': 'true', tabindex: -1 }, name))
        return el(
          'li',
          {},
          buttonWith(() => open(path.slice(0, depth)), {}, name),
        )
      }),
    )
    const next = levels[path.length + 1]
    hint.textContent = next
      ? `por ${lowered(levels[path.length]?.label)}; um clique abre ${lowered(next.label)}`
      : `por ${lowered(levels[path.length]?.label)}`
    // The pressed button was replaced: focus moves to the current level.
    if (hadFocus) list.querySelector<HTMLElement>('[aria-current]')?.focus()
  }
  show([])
  return { element, show }
}

/** Lowercases a label unless it is an abbreviation. */
const lowered = (label = '') => (/^\p{Lu}\p{Lu}/u.test(label) ? label : label.toLowerCase())
