import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Problem } from '../lib/problem.ts'

/**
 * Returns the version that the caller's change is based on: `"3"`, as its ETag. An absent header
 * and `*` accept any version.
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

/** An id, or an id and a value of its member: `12@2026-12-31`. */
export type Member = number | `${number}@${string}`

/** Returns the ETag of a set, independent of the members' order. */
const tagOf = (members: readonly Member[]): string => {
  const text = members.toSorted((a, b) => idOf(a) - idOf(b)).join()
  return `"${createHash('sha256').update(text).digest('base64url').slice(0, 22)}"`
}

const idOf = (member: Member): number => Number.parseInt(String(member), 10)

/** Sets the ETag of a set, which the caller sends back as If-Match when it replaces the set. */
export const setEtagOfSet = (reply: FastifyReply, ids: readonly Member[]): void => {
  reply.header('etag', tagOf(ids))
}

/**
 * Refuses a change based on an old set; a caller without If-Match is not checked.
 * @param ids the current set, locked until the change is written
 * @throws Problem 412 when the set has changed
 */
export const assertSameSet = ({ headers }: FastifyRequest, ids: readonly Member[]): void => {
  const tag = headers['if-match']
  if (tag === undefined || tag === '*' || tag.replace(/^W\//, '') === tagOf(ids)) return
  throw new Problem('versao_antiga', { detail: 'Outra pessoa alterou esta lista depois que você a abriu.' })
}
