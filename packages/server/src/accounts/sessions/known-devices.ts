import type { FastifyRequest } from 'fastify'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'

/* Devices on which a user has signed in have their own limit of wrong passwords. */

/**
 * Returns the digest of the random mark that a browser stores after a sign-in. Without a mark the
 * device only loses its own limit.
 */
export const deviceMark = (
  request: FastifyRequest,
  digest: (value: string) => string,
): string | undefined => {
  const mark = request.headers['x-dispositivo']
  return typeof mark === 'string' && /^[\w-]{22,64}$/.test(mark) ? digest(`dispositivo:${mark}`) : undefined
}

/** Most known devices per user. Anyone can invent marks, so they must not accumulate. */
const devicesKept = 20

/** Makes a device known to the user, and forgets those that were not used for longest. */
export const rememberDevice = async (tx: Db, idUsuario: number, marca: string, now: Date): Promise<void> => {
  await sql`
    with este as (
      insert into dispositivo_conhecido (id_usuario, marca, ultimo_uso) values (${idUsuario}, ${marca}, ${now})
      on conflict (id_usuario, marca) do update set ultimo_uso = excluded.ultimo_uso
    )
    delete from dispositivo_conhecido where id_usuario = ${idUsuario} and marca in (
      select marca from dispositivo_conhecido where id_usuario = ${idUsuario} and marca <> ${marca}
      order by ultimo_uso desc offset ${devicesKept - 1})`.execute(tx)
}

/**
 * Removes known devices after a change of credentials: a stranger who knew the former ones may have
 * made devices known, each with its own limit for guessing.
 * @param kept the device of the current call
 */
export const forgetDevices = async (tx: Db, idUsuario: number, kept: string | undefined): Promise<void> => {
  await tx
    .deleteFrom('dispositivoConhecido')
    .where('idUsuario', '=', idUsuario)
    .$if(kept !== undefined, (query) => query.where('marca', '<>', kept ?? ''))
    .execute()
}
