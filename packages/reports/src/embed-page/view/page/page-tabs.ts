import type { EmbeddedPage } from '../../state/report-state.ts'
import { buttonWith, el, setAttributes } from '../style/dom.ts'

export const PANEL_ID = 'page'

/** Creates the page tabs. Arrows, Home and End change the page at once. */
export const createPageTabs = (choose: (name: string) => void) => {
  const list = el('div', { class: 'tabs', role: 'tablist', 'aria-label': 'Páginas do relatório' })
  let shown: readonly EmbeddedPage[] = []

  list.addEventListener('keydown', (event) => {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')]
    const here = tabs.findIndex((tab) => tab.matches(':focus'))
    const steps: Record<string, number> = {
      ArrowRight: (here + 1) % tabs.length,
      ArrowLeft: (here - 1 + tabs.length) % tabs.length,
      Home: 0,
      End: tabs.length - 1,
    }
    const tab = tabs[steps[event.key] ?? -1]
    if (here < 0 || !tab) return
    event.preventDefault()
    tab.focus()
    tab.click()
  })

  return {
    element: list,
    update(pages: readonly EmbeddedPage[], active: string) {
      if (pages !== shown) {
        shown = pages
        list.replaceChildren(
          ...pages.map(({ name, displayName }) => {
            const attributes = { class: 'tab', role: 'tab', id: tabId(name), 'aria-controls': PANEL_ID }
            return buttonWith(() => choose(name), attributes, displayName)
          }),
        )
      }
      pages.forEach((page, index) => {
        const tab = list.children[index]
        const selected = page.name === active
        if (tab) setAttributes(tab, { 'aria-selected': String(selected), tabindex: selected ? 0 : -1 })
      })
    },
    /** Scrolls to the tab, where not all fit. */
    reveal(active: string) {
      const tab = list.children[shown.findIndex(({ name }) => name === active)]
      tab?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    },
  }
}

export const tabId = (page: string) => `tab-${page}`
