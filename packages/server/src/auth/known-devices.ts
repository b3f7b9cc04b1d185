import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/open-database.ts'

/* Devices that a person has signed in on have allowances of their own for wrong passwords. */

/** The random mark that a browser keeps once its owner has signed in there; its absence costs nothing but allowance. */
export const deviceMark = (
  request: FastifyRequest,
  digest: (value: string) => string,
): string | undefined => {
  const mark = request.headers['x-dispositivo']
  return typeof mark === 'string' && /^[\w-]{22,64}$/.test(mark) ? digest(`dispositivo:${mark}`) : undefined
}

/**
 * Whoever knew the credentials before may have made devices known, each good for guesses at the new ones.
 * @param kept the device in the owner's hands
 */
export const forgetDevices = async (tx: Db, idUsuario: number, kept: string | undefined): Promise<void> => {
  await tx
    .deleteFrom('dispositivoConhecido')
    .where('idUsuario', '=', idUsuario)
    .$if(kept !== undefined, (query) => query.where('marca', '<>', kept ?? ''))
    .execute()
}
