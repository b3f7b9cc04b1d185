import { useDebouncedValue } from '@mantine/hooks'
import { hashKey, type QueryKey, useQuery } from '@tanstack/react-query'
import { SEARCH_DELAY_MS } from '../../lib/lists/list-state.ts'
import { MAX_OPTIONS, type OptionSearch } from './select-options.ts'

interface OptionSearchInput<V extends string | number> {
  search: OptionSearch<V>
  queryKey: QueryKey
  /** The text in the field; undefined while the field shows the label of the choice. */
  typedText: string | undefined
  /** False sends no request. */
  isWanted: boolean
}

/** Searches the options for the text of a field, once typing pauses. */
export const useOptionSearch = <V extends string | number>({
  search,
  queryKey,
  typedText,
  isWanted,
}: OptionSearchInput<V>) => {
  const trimmedText = typedText?.trim() ?? ''
  const [debouncedText] = useDebouncedValue(trimmedText, SEARCH_DELAY_MS)
  const searchText = typedText === undefined ? '' : debouncedText
  const { data, error, isFetching, isPlaceholderData, refetch } = useQuery({
    queryKey: [...queryKey, 'opcoes', searchText],
    queryFn: ({ signal }) => search(searchText, signal),
    enabled: isWanted,
    // Placeholder while typing; never results of another `queryKey` (groups of another connection).
    placeholderData: (previous, query) =>
      query && hashKey(query.queryKey.slice(0, -2)) === hashKey(queryKey) ? previous : undefined,
  })
  const options = data?.slice(0, MAX_OPTIONS)
  const isAnswered = debouncedText === trimmedText && !isPlaceholderData
  const answer = isAnswered ? options : undefined
  return {
    /** Undefined until the first answer; those of the previous text while the next search runs. */
    options,
    searchText,
    /** The options for this very text: Enter must never take one of the previous search. */
    answer,
    hasMatches: trimmedText !== '' && answer !== undefined && answer.length > 0,
    isCut: (data?.length ?? 0) >= MAX_OPTIONS,
    error,
    isFetching,
    retry: () => void refetch(),
  }
}
