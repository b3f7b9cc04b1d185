import type { IncomingHttpHeaders } from 'node:http'
import type { FastifyRequest } from 'fastify'
import { PowerBiError } from '../http/power-bi-error.ts'
import { PublicationBusyError } from '../publish/publication.ts'

export type DraftCall = FastifyRequest<{ Params: { id: string } }>

/** Returns the person that the portal sent the call for, as the portal names them. */
export const ownerOf = ({ headers }: { headers: IncomingHttpHeaders }): string =>
  String(headers['x-requested-for'] ?? '').slice(0, 100)

/** @throws PowerBiError 409 when another publication is under way */
export async function asBusy<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (!(error instanceof PublicationBusyError)) throw error
    throw new PowerBiError(409, 'PublicationBusy', 'Another publication is under way')
  }
}
