import type { Endpoint, ListQuery } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { ListPage } from '../../db/queries/list-page.ts'
import { shareReads } from '../../db/queries/share-reads.ts'
import { SerialisedJson, serve } from '../serve.ts'
import { answerList } from './list-headers.ts'

type ListEndpoint = Endpoint & { query: z.ZodType<ListQuery>; response: { 200: z.ZodArray } }

/**
 * Serves a list whose rows depend on nothing but the query. Calls of one moment with the same query
 * share a read and its text.
 */
export const serveList = <const E extends ListEndpoint>(
  app: FastifyInstance,
  endpoint: E,
  read: (query: z.output<E['query']>) => Promise<ListPage<z.input<E['response'][200]>[number]>>,
): void => {
  const rowsSchema = endpoint.response[200]
  const shared = shareReads(async (query: z.output<E['query']>) => {
    const page = await read(query)
    return { page, text: JSON.stringify(z.encode(rowsSchema, page.rows)) }
  })
  serve<ListEndpoint>(app, endpoint, async ({ query }, context) => {
    const { page, text } = await shared(query as z.output<E['query']>)
    answerList(page, query, context)
    return new SerialisedJson(text)
  })
}
