import type { ListQuery } from '@bi-manager/contract'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ListPage } from '../../db/queries/list-page.ts'

/** Sets the headers for total and next page, and returns the rows, which are the whole body. */
export const answerList = <R>(
  { rows, total, isCapped, hasNext }: ListPage<R>,
  query: ListQuery,
  { request, reply }: { request: FastifyRequest; reply: FastifyReply },
): R[] => {
  reply.header('x-total-count', String(total))
  if (isCapped) reply.header('x-total-count-capped', 'true')
  if (hasNext && query.pagina !== undefined) {
    const next = new URL(request.url, 'http://portal')
    next.searchParams.set('pagina', String(query.pagina + 1))
    if (query.tamanho !== undefined) next.searchParams.set('tamanho', String(query.tamanho))
    reply.header('link', `<${next.pathname}${next.search}>; rel="next"`)
  }
  return rows
}
