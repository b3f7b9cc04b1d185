import type { ListQuery } from '@bi-manager/contract'
import { useEffect, useRef, useState } from 'react'
import { useLocation, useSearchParams } from 'react-router'
import { rememberListAddress } from './list-address.ts'
import { type PageSize, pageSizeOf, rememberedPageSize, rememberPageSize } from './page-size.ts'
import { useChangeSearch } from './use-change-search.ts'

/** Debounce of a search, in ms. */
export const SEARCH_DELAY_MS = 300

export type Order<F extends string> = F | `-${F}`

export interface ListState<F extends string = string> {
  busca: string
  pagina: number
  tamanho: PageSize
  ordem: Order<F> | undefined
  /** The order of the rows: the requested one, otherwise the server's default. */
  order: Order<F> | undefined
  /** The text in the search field; `busca` follows after 300 ms. */
  typed: string
  type: (text: string) => void
  goTo: (pagina: number, options?: { replace: boolean }) => void
  resize: (tamanho: PageSize) => void
  /** Cycles ascending, descending, default; the default field only switches its direction. */
  sortBy: (field: F) => void
  setOrder: (ordem: Order<F> | undefined) => void
  /** Clears the search and returns to page 1, as after a deletion; Back returns to the search. */
  startOver: () => void
  /** The query for the list's endpoint. */
  query: ListQuery<F>
}

/**
 * Keeps a list's search, page, page size and order in the address
 * (`busca`, `pagina`, `tamanho`, `ordem`; defaults are omitted). Pages
 * and orders push a history entry, typing replaces the current one.
 * @param usual the order of the server by default
 */
export const useListState = <const F extends string>(
  fields: readonly F[],
  usual?: Order<F>,
): ListState<F> => {
  const [params] = useSearchParams()
  const { pathname, search } = useLocation()
  useEffect(() => rememberListAddress({ pathname, search }), [pathname, search])
  const changeSearch = useChangeSearch()
  const [usualSize] = useState(rememberedPageSize)
  const busca = params.get('busca') ?? ''
  const pagina = pageOf(params.get('pagina'))
  const tamanho = pageSizeOf(params.get('tamanho')) ?? usualSize
  const ordem = orderOf(params.get('ordem'), fields)

  const defaults = { busca: '', pagina: 1, tamanho: usualSize, ordem: undefined }
  const change = (changes: Partial<ListQuery>, { replace = false } = {}) =>
    changeSearch(
      (next) => {
        for (const name of Object.keys(changes) as (keyof typeof defaults)[])
          if (changes[name] === defaults[name]) next.delete(name)
          else next.set(name, String(changes[name]))
      },
      { replace },
    )

  const { typed, type, forget } = useTyped(busca, (text) =>
    change({ busca: text, pagina: 1 }, { replace: true }),
  )

  const order = ordem ?? usual
  const setOrder = (next: Order<F> | undefined) =>
    change({ ordem: next === usual ? undefined : next, pagina: 1 })
  return {
    busca,
    pagina,
    tamanho,
    ordem,
    order,
    typed,
    type,
    goTo: (page, options) => change({ pagina: page }, options),
    resize: (size) => {
      rememberPageSize(size)
      change({ tamanho: size, pagina: 1 })
    },
    sortBy: (field) => {
      const descending = `-${field}` as const
      if (order === field) setOrder(descending)
      else setOrder(order === descending && order !== usual ? undefined : field)
    },
    setOrder,
    startOver: () => {
      forget()
      change({ busca: '', pagina: 1 })
    },
    query: { busca: busca || undefined, pagina, tamanho, ordem },
  }
}

/** Returns the part of a list's state that an export takes. */
export const exportQuery = <F extends string>({
  query: { busca, ordem },
}: ListState<F>): Pick<ListQuery<F>, 'busca' | 'ordem'> => ({ busca, ordem })

/** Holds the text being typed until `busca` follows; another change of `busca` replaces it. */
export const useTyped = (busca: string, write: (text: string) => void) => {
  const [typed, setTyped] = useState(busca)
  const written = useRef(busca)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const writeNow = useRef(write)
  writeNow.current = write

  useEffect(() => {
    if (busca === written.current) return
    written.current = busca
    clearTimeout(timer.current)
    setTyped(busca)
  }, [busca])
  useEffect(() => () => clearTimeout(timer.current), [])

  return {
    typed,
    type: (text: string) => {
      setTyped(text)
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        const next = text.trim().slice(0, 200)
        if (next === written.current) return
        written.current = next
        writeNow.current(next)
      }, SEARCH_DELAY_MS)
    },
    forget: () => {
      clearTimeout(timer.current)
      written.current = ''
      setTyped('')
    },
  }
}

const pageOf = (text: string | null): number => {
  const page = Number(text ?? 1)
  return Number.isInteger(page) && page >= 1 && page <= 10_000_000 ? page : 1
}

const orderOf = <F extends string>(text: string | null, fields: readonly F[]): Order<F> | undefined => {
  const field = fields.find((name) => text === name || text === `-${name}`)
  return field && (text === field ? field : `-${field}`)
}
