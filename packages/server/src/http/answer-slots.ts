import type { Endpoint } from '@bi-manager/contract'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { Problem } from '../lib/problem.ts'
import { networkOf } from './network-of.ts'

/*
 * Files and lists are the large answers of the portal. An owner has a few of each at a time, being
 * made or read; further calls wait for one of them. All others are small, or images of at most 180 KB.
 */

const details = {
  file: 'Você já tem 4 arquivos sendo baixados. Espere um deles terminar e tente de novo.',
  list: 'Você já tem 4 listas a caminho. Feche outras janelas do portal, ou tente de novo em instantes.',
}
export type LargeAnswer = keyof typeof details

/** Returns which limit the answers of an endpoint share; undefined for small answers and streams of events. */
export const largeAnswerOf = ({ contentType, response }: Endpoint): LargeAnswer | undefined => {
  if (contentType === 'text/event-stream' || contentType?.startsWith('image/')) return undefined
  if (contentType) return 'file'
  return Object.values(response).some((schema) => schema instanceof z.ZodArray) ? 'list' : undefined
}

/** Takes the owner's slot for an answer of this kind. @throws Problem 429 when none came free in time */
export const answerSlot =
  (kind: LargeAnswer): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (await request.server.takeAnswerSlot(`${kind}:${ownerOf(request)}`, reply)) return
    throw new Problem('muitas_tentativas', { detail: details[kind], retryAfter: 10 })
  }

/** The keys of a user share a limit apart from that of the user's sessions, as for the number of calls. */
const ownerOf = ({ caller, kiosk, guest, ip }: FastifyRequest): string => {
  if (caller) return `${caller.chave ? 'chaves' : 'pessoa'}:${caller.idUsuario}`
  if (kiosk) return `tela:${kiosk.marca}`
  return guest ? `visita:${guest.marca}` : `rede:${networkOf(ip)}`
}
