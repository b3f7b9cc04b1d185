import type { Endpoint } from '@bi-manager/contract'
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify'
import { z } from 'zod'
import { Problem } from '../../lib/problem.ts'
import { networkOf } from './network-of.ts'

/*
 * Files, lists and values of reports are the large answers of the portal. An owner has a few of each at
 * a time, being made or read; further calls wait for one of them. Others are at most 180 KB.
 */

const details = {
  file: 'Você já tem 4 arquivos sendo baixados. Espere um deles terminar e tente de novo.',
  list: 'Você já tem 4 listas a caminho. Feche outras janelas do portal, ou tente de novo em instantes.',
  values:
    'Você já tem 4 leituras de valores de relatórios a caminho. Espere uma delas terminar e tente de novo.',
}
export type LargeAnswer = keyof typeof details

/** Returns the limit that an endpoint's answers share; undefined for small ones and for streams. */
export const largeAnswerOf = ({ contentType, response }: Endpoint): LargeAnswer | undefined => {
  if (contentType === 'text/event-stream' || contentType?.startsWith('image/')) return undefined
  if (contentType) return 'file'
  return Object.values(response).some((schema) => schema instanceof z.ZodArray) ? 'list' : undefined
}

/** Takes one of the owner's slots. @throws Problem 429 when none came free in time */
export const answerSlot =
  (kind: LargeAnswer): onRequestAsyncHookHandler =>
  async (request, reply) => {
    if (await request.server.takeAnswerSlot(`${kind}:${ownerOf(request)}`, reply)) return
    throw new Problem('muitas_tentativas', { detail: details[kind], retryAfter: 10 })
  }

/** A user's keys share a limit apart from that of the sessions, as for the number of calls. */
const ownerOf = ({ caller, kiosk, guest, ip }: FastifyRequest): string => {
  if (caller) return `${caller.chave ? 'chaves' : 'pessoa'}:${caller.idUsuario}`
  if (kiosk) return `tela:${kiosk.marca}`
  return guest ? `visita:${guest.marca}` : `rede:${networkOf(ip)}`
}
