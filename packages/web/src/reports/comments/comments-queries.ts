import { type CommentStatus, commentsApi } from '@bi-manager/contract'
import { type QueryClient, queryOptions, useInfiniteQuery } from '@tanstack/react-query'
import { call, callList } from '../../lib/api/api.ts'
import { callForQuery } from '../../lib/api/background-refresh.ts'
import { dataKey } from '../freshness/use-data-freshness.ts'

const SIZE = 20

/** First part of the keys of all queries about the comments of a report. */
export const commentsKey = (idRelatorio: number) => ['comentarios', idRelatorio] as const

/** The threads of a report or, with `paginaRelatorio`, of one of its pages. */
export const useThreads = (
  idRelatorio: number,
  filter: { situacao: CommentStatus; paginaRelatorio: string | undefined },
  isWanted: boolean,
) => {
  const queryKey = [...commentsKey(idRelatorio), 'conversas', filter]
  return useInfiniteQuery({
    queryKey,
    queryFn: ({ signal, pageParam }) =>
      callList(
        commentsApi.list,
        { params: { id: idRelatorio }, query: { ...filter, pagina: pageParam, tamanho: SIZE } },
        { signal },
        callForQuery(queryKey),
      ),
    initialPageParam: 1,
    getNextPageParam: (last, all) => (all.length * SIZE < last.total ? all.length + 1 : undefined),
    enabled: isWanted,
  })
}

export const threadQuery = (idRelatorio: number, idComentario: number) => {
  const queryKey = [...commentsKey(idRelatorio), 'conversa', idComentario]
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      callForQuery(queryKey)(commentsApi.thread, { params: { id: idRelatorio, idComentario } }, { signal }),
  })
}

export const repliesQuery = (idRelatorio: number, idComentario: number) => {
  const queryKey = [...commentsKey(idRelatorio), 'respostas', idComentario]
  return queryOptions({
    queryKey,
    queryFn: ({ signal }) =>
      callForQuery(queryKey)(commentsApi.replies, { params: { id: idRelatorio, idComentario } }, { signal }),
  })
}

/** The people whom a comment may mention. */
export const peopleQuery = (idRelatorio: number, busca: string) =>
  queryOptions({
    queryKey: ['pessoas-do-relatorio', idRelatorio, busca],
    queryFn: ({ signal }) =>
      call(commentsApi.people, { params: { id: idRelatorio }, query: { busca } }, { signal }),
    staleTime: 30_000,
  })

/** Reads again, after a change, the open panel and the number on the toolbar's button. */
export const rereadComments = async (client: QueryClient, idRelatorio: number): Promise<void> => {
  await Promise.all([
    client.invalidateQueries({ queryKey: commentsKey(idRelatorio) }),
    client.invalidateQueries({ queryKey: dataKey(idRelatorio), exact: true }),
  ])
}
