import { buttonWith, el } from '../style/dom.ts'

/** Creates the bar that steps through the author's bookmarks in a presentation. */
export function createBookmarkBar(
  bookmarks: readonly { name: string; displayName: string }[],
  choose: (name: string) => void,
  end: () => void,
) {
  let current = -1
  const title = el('p', { class: 'presentation-title', role: 'status' })
  const move = (step: number) => {
    current = (current + step + bookmarks.length) % bookmarks.length
    const { name, displayName } = bookmarks[current] ?? { name: '', displayName: '' }
    title.textContent = `${displayName} (${current + 1} de ${bookmarks.length})`
    choose(name)
  }
  return {
    element: el(
      'nav',
      { class: 'presentation', 'aria-label': 'Apresentação de marcadores' },
      buttonWith(() => move(-1), {}, 'Anterior'),
      title,
      buttonWith(() => move(1), {}, 'Próximo'),
      buttonWith(end, {}, 'Sair'),
    ),
    /** Shows the first one. */
    start: () => move(1),
  }
}
