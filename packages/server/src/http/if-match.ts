import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../problem.ts'

/**
 * The version of a record that the caller's change is based on: `"3"`, as its ETag is. Absent and `*` ask for none in particular.
 * @throws Problem 400
 */
export const ifMatchOf = ({ headers }: FastifyRequest): number | undefined => {
  const text = headers['if-match']
  if (text === undefined || text === '*') return undefined
  const version = /^(?:W\/)?"?(\d{1,9})"?$/.exec(text)?.[1]
  if (!version)
    throw new Problem('requisicao_invalida', { detail: 'O cabeçalho If-Match não pôde ser lido.' })
  return Number(version)
}

/** The ETag of a set of ids: the same for the same ids, in whatever order. */
const tagOf = (ids: readonly number[]): string => {
  const text = ids.toSorted((a, b) => a - b).join()
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

/** Tells the caller which set was answered, to be sent back as If-Match with the one that replaces it. */
export const tagSet = (reply: FastifyReply, ids: readonly number[]): void => {
  reply.header('etag', tagOf(ids))
}

/**
 * Only for a caller who said, by If-Match, which set the new one is based on.
 * @param ids the set as it stands, held by a lock until the change is written
 * @throws Problem 412 when it is another by now
 */
export const assertSameSet = ({ headers }: FastifyRequest, ids: readonly number[]): void => {
  const tag = headers['if-match']
  if (tag === undefined || tag === '*' || tag.replace(/^W\//, '') === tagOf(ids)) return
  throw new Problem('versao_antiga', { detail: 'Outra pessoa alterou esta lista depois que você a abriu.' })
}
