import { el } from '../style/dom.ts'

interface Named {
  name: string
  displayName: string
}

/** Creates the bar that steps through the author's bookmarks in a presentation. */
export function createBookmarkBar(
  bookmarks: readonly Named[],
  choose: (name: string) => void,
  end: () => void,
) {
  let place = -1
  const title = el('p', { class: 'presentation-title', role: 'status' })
  const button = (text: string, press: () => void) => {
    const element = el('button', { type: 'button' }, text)
    element.addEventListener('click', press)
    return element
  }
  const move = (step: number) => {
    place = (place + step + bookmarks.length) % bookmarks.length
    const { name, displayName } = bookmarks[place] ?? { name: '', displayName: '' }
    title.textContent = `${displayName} (${place + 1} de ${bookmarks.length})`
    choose(name)
  }
  return {
    element: el(
      'nav',
      { class: 'presentation', 'aria-label': 'Apresentação de marcadores' },
      button('Anterior', () => move(-1)),
      title,
      button('Próximo', () => move(1)),
      button('Sair', end),
    ),
    /** Shows the first one. */
    start: () => move(1),
  }
}
