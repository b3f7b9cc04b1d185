import { type Favorite, favoritesApi } from '@bi-manager/contract'
// biome-ignore lint/style/noRestrictedImports: each star is saved on its own
import { type QueryClient, queryOptions, useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../../lib/api/api.ts'
import { callForQuery } from '../../lib/api/background-refresh.ts'
import { MENU_KEY } from '../../lib/api/refresh-after.ts'

/** Shares the menu's key: permissions determine both, so both are refetched together. */
export const favoritesQuery = queryOptions({
  queryKey: [MENU_KEY, 'favoritos'],
  queryFn: ({ signal, queryKey }) => callForQuery(queryKey)(favoritesApi.list, {}, { signal }),
  staleTime: 60_000,
})

/** Adds a report to the favourites or removes it. */
export const useStar = () => {
  const client = useQueryClient()
  return useMutation({
    mutationFn: async ({ id, isStarred }: { id: number; isStarred: boolean }) =>
      isStarred
        ? await call(favoritesApi.add, { params: { id } })
        : await call(favoritesApi.remove, { params: { id } }),
    onSuccess: async (answer, { id }) => {
      await client.cancelQueries({ queryKey: favoritesQuery.queryKey })
      client.setQueryData(favoritesQuery.queryKey, (before) => answer ?? before?.filter(isNot(id)))
      if (!client.getQueryData(favoritesQuery.queryKey)) void client.invalidateQueries(favoritesQuery)
    },
  })
}

/** Shows the new order optimistically and restores the old one if the server refuses. */
export const useFavoriteOrder = () => {
  const client = useQueryClient()
  const show = (rows: Favorite[] | undefined) => client.setQueryData(favoritesQuery.queryKey, rows)
  return useMutation({
    mutationFn: (rows: Favorite[]) =>
      call(favoritesApi.reorder, { body: { ids: rows.map(({ idRelatorio }) => idRelatorio) } }),
    // Runs serially, so that the last chosen order is the last one saved.
    scope: { id: 'favoritos' },
    onMutate: async (rows) => {
      await client.cancelQueries({ queryKey: favoritesQuery.queryKey })
      const before = client.getQueryData(favoritesQuery.queryKey)
      show(rows)
      return before
    },
    onError: (_error, _rows, before) => {
      if (before) show(before)
    },
    onSuccess: (rows) => {
      if (isLast(client)) show(rows)
    },
  })
}

const isLast = (client: QueryClient): boolean =>
  client.isMutating({ predicate: ({ options }) => options.scope?.id === 'favoritos' }) <= 1

const isNot =
  (id: number) =>
  ({ idRelatorio }: Favorite): boolean =>
    idRelatorio !== id

/** Returns the list with the item at `from` moved to `to`; a copy if an index is invalid. */
export const moveItem = <T>(items: readonly T[], from: number, to: number): T[] => {
  const item = items[from]
  if (item === undefined || to < 0 || to >= items.length) return [...items]
  return items.toSpliced(from, 1).toSpliced(to, 0, item)
}
