import type { Endpoint, Input } from '@bi-manager/contract'
import { callList, type RowOf } from '../../lib/api.ts'

/** Options that a dropdown asks for at most; beyond them the person types more. */
export const OPTIONS_AT_MOST = 50

/** What a SearchSelect offers and holds: the form keeps the label too, so that it can be shown without asking. */
export interface SelectOption<V extends string | number = number> {
  value: V
  label: string
  /** A second, quiet line. */
  description?: string | undefined
  /** A mark at the end of the line, such as 'já cadastrado'. */
  mark?: string | undefined
}

export type OptionSearch<V extends string | number> = (
  text: string,
  signal: AbortSignal,
) => Promise<SelectOption<V>[]>

/** Searches a list of the server for options: its first page, never everything. */
export const searchOptions =
  <E extends Endpoint, V extends string | number>(
    endpoint: E,
    toOption: (row: RowOf<E>) => SelectOption<V>,
    filter: Record<string, string | number> = {},
  ): OptionSearch<V> =>
  async (text, signal) => {
    const query = {
      ...filter,
      ...(text && { busca: text.slice(0, 200) }),
      pagina: 1,
      tamanho: OPTIONS_AT_MOST,
    }
    const { rows } = await callList(endpoint, { query } as Input<E>, { signal })
    return rows.map(toOption)
  }
