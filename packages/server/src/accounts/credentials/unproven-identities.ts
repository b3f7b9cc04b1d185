import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { identityRemovedMail } from '../accounts.mail.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { notifyOwner, type Owner } from './notify-owner.ts'

/** A person as identified by the identity provider. */
export interface Identity {
  emissor: string
  sujeito: string
}

/** Deletes the identities that were linked without proof of the e-mail, except `kept`. */
export const deleteUnprovenIdentities = (tx: Db, idUsuario: number, kept?: Identity): Promise<Identity[]> =>
  tx
    .deleteFrom('identidadeExterna')
    .where('idUsuario', '=', idUsuario)
    .where('semProva', '=', true)
    .$if(kept !== undefined, (query) =>
      query.where((eb) =>
        eb.or([eb('emissor', '<>', kept?.emissor ?? ''), eb('sujeito', '<>', kept?.sujeito ?? '')]),
      ),
    )
    .returning(['emissor', 'sujeito'])
    .execute()

/**
 * Called when the mailbox's owner proves the e-mail: identities linked before may belong to another
 * person. Unlinks them, ends the sessions, and notifies the owner by e-mail and in the portal.
 * @param kept the identity that is the proof
 * @returns whether any was unlinked: its person may also have set a password and a second factor
 */
export const unlinkUnproven = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'writeAudit'>,
  owner: Owner,
  { kept, request }: { kept?: Identity; request: FastifyRequest },
): Promise<boolean> => {
  const { idUsuario } = owner
  const identidades = await deleteUnprovenIdentities(tx, idUsuario, kept)
  if (identidades.length === 0) return false
  const ended = await endAccessOf(tx, idUsuario, { now: services.now(), kept: undefined })
  await services.writeAudit(tx, {
    action: 'account.unlinked',
    idUsuario: null,
    subject: `usuario:${idUsuario}`,
    details: { motivo: 'o dono do e-mail o comprovou', identidades, ...ended },
    request,
  })
  await notifyOwner(tx, services, owner, {
    titulo: 'Identidade do provedor desligada',
    texto: 'A identidade com que a sua conta foi pedida não vale mais: não havia prova de que era sua.',
    kind: identityRemovedMail,
  })
  return true
}
