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
  /** The order in the address. */
  requestedOrder: Order<F> | undefined
  /** The order of the rows: the requested one, otherwise the server's default. */
  effectiveOrder: Order<F> | undefined
  /** The text in the search field; `busca` follows after 300 ms. */
  typed: string
  type: (text: string) => void
  goTo: (pagina: number, options?: { replace: boolean }) => void
  resize: (tamanho: PageSize) => void
  /** Cycles ascending, descending, default; the default field only switches its direction. */
  sortBy: (field: F) => void
  setOrder: (order: Order<F> | undefined) => void
  /** Clears the search and returns to page 1, as after a deletion; Back returns to the search. */
  startOver: () => void
  /** The query for the list's endpoint. */
  query: ListQuery<F>
}

/**
 * Keeps a list's search, page, page size and order in the address
 * (`busca`, `pagina`, `tamanho`, `ordem`; defaults are omitted). Pages
 * and orders push a history entry, typing replaces the current one.
 * @param defaultOrder the server's order of a call without `ordem`
 */
export const useListState = <const F extends string>(
  fields: readonly F[],
  defaultOrder?: Order<F>,
): ListState<F> => {
  const [params] = useSearchParams()
  const { pathname, search } = useLocation()
  useEffect(() => rememberListAddress({ pathname, search }), [pathname, search])
  const changeSearch = useChangeSearch()
  const [defaultSize] = useState(rememberedPageSize)
  const busca = params.get('busca') ?? ''
  const pagina = pageNumberOf(params.get('pagina'))
  const tamanho = pageSizeOf(params.get('tamanho')) ?? defaultSize
  const requestedOrder = orderOf(params.get('ordem'), fields)

  const defaults = { busca: '', pagina: 1, tamanho: defaultSize, ordem: undefined }
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

  const effectiveOrder = requestedOrder ?? defaultOrder
  const setOrder = (next: Order<F> | undefined) =>
    change({ ordem: next === defaultOrder ? undefined : next, pagina: 1 })
  return {
    busca,
    pagina,
    tamanho,
    requestedOrder,
    effectiveOrder,
    typed,
    type,
    goTo: (page, options) => change({ pagina: page }, options),
    resize: (size) => {
      rememberPageSize(size)
      change({ tamanho: size, pagina: 1 })
    },
    sortBy: (field) => {
      const descending = `-${field}` as const
      if (effectiveOrder === field) setOrder(descending)
      else if (effectiveOrder === descending && descending !== defaultOrder) setOrder(undefined)
      else setOrder(field)
    },
    setOrder,
    startOver: () => {
      forget()
      change({ busca: '', pagina: 1 })
    },
    query: { busca: busca || undefined, pagina, tamanho, ordem: requestedOrder },
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

/** The contract's limit. */
const MAX_PAGE = 10_000_000

const pageNumberOf = (text: string | null): number => {
  const page = Number(text ?? 1)
  return Number.isInteger(page) && page >= 1 && page <= MAX_PAGE ? page : 1
}

const orderOf = <F extends string>(text: string | null, fields: readonly F[]): Order<F> | undefined => {
  const field = fields.find((name) => text === name || text === `-${name}`)
  return field && (text === field ? field : `-${field}`)
}
