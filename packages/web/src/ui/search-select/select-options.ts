import type { Endpoint, Input } from '@bi-manager/contract'
import { callList, type RowOf } from '../../lib/api/api.ts'

/** Maximum number of options in a dropdown; the person narrows the rest by typing. */
export const MAX_OPTIONS = 50

/** An option of a SearchSelect. The form stores the label too, to show it without a request. */
export interface SelectOption<V extends string | number = number> {
  value: V
  label: string
  /** A second, dimmed line. */
  description?: string | undefined
  /** A tag at the end of the line, such as 'já cadastrado'. */
  mark?: string | undefined
}

export type OptionSearch<V extends string | number> = (
  text: string,
  signal: AbortSignal,
) => Promise<SelectOption<V>[]>

/** What is wrong with a text that was left in a field without choosing. */
export const notChosen = (text: string): string =>
  `“${text.trim()}” ainda não foi escolhido. Escolha na lista.`

/** Returns a search over the first page of a list endpoint. */
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
      tamanho: MAX_OPTIONS,
    }
    const { rows } = await callList(endpoint, { query } as Input<E>, { signal })
    return rows.map(toOption)
  }
