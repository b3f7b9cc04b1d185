import { useState } from 'react'
import { type ListState, useTyped } from './list-state.ts'
import { PANEL_PAGE_SIZE } from './page-size.ts'

/**
 * State of a list in a panel. The address belongs to the page next to it, so search and page are
 * component state. Rows are always in the server's order.
 */
export const usePanelListState = (): ListState<never> => {
  const [{ busca, pagina, tamanho }, setAt] = useState({
    busca: '',
    pagina: 1,
    tamanho: PANEL_PAGE_SIZE,
  })
  const search = (text: string) => setAt({ busca: text, pagina: 1, tamanho })
  const { typed, type, forget } = useTyped(busca, search)
  return {
    busca,
    pagina,
    tamanho,
    requestedOrder: undefined,
    effectiveOrder: undefined,
    typed,
    type,
    goTo: (page) => setAt({ busca, pagina: page, tamanho }),
    resize: (size) => setAt({ busca, pagina: 1, tamanho: size }),
    sortBy: () => {},
    setOrder: () => {},
    startOver: () => {
      forget()
      search('')
    },
    query: { busca: busca || undefined, pagina, tamanho },
  }
}
