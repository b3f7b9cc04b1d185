import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Services } from '../../platform/http/services.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { deviceMark, forgetDevices } from '../sessions/known-devices.ts'
import { voidConfirmationLinks, voidPasswordLinks } from './account-links.ts'
import { notifyPasswordChanged } from './notify-owner.ts'
import { notifySecondFactor } from './notify-second-factor.ts'
import { revokeCredentialsExceptPassword } from './revoke-credentials.ts'
import { unlinkUnproven } from './unproven-identities.ts'

interface Replacement {
  idUsuario: number
  senhaHash: string
  /** The session that continues; undefined ends all sessions. */
  kept: string | undefined
  /** How the user proved their identity, for the audit. */
  meio: 'recuperacao' | 'convite' | 'senha_atual' | 'sessao'
  request: FastifyRequest
}

/**
 * Sets the password that a user chose, ends their other sessions (see endAccessOf) and voids the
 * links in their mailbox. A user who had a password is notified in the portal and by e-mail. The
 * first proof of the e-mail also removes the second factor.
 * @returns false when the user is missing or inactive; a link also accepts an unproven request
 */
export const replacePassword = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'writeAudit'>,
  { idUsuario, senhaHash, kept, meio, request }: Replacement,
): Promise<boolean> => {
  const now = services.now()
  // Using an e-mailed link proves the mailbox.
  const isProof = meio === 'recuperacao' || meio === 'convite'
  const person = await tx
    .selectFrom('usuario')
    .select(['nomeUsuario', 'emailUsuario', 'senhaHash', 'emailPorProvar'])
    .where('idUsuario', '=', idUsuario)
    .where((eb) =>
      eb.or([
        isActiveAccount(),
        ...(isProof ? [eb.and([eb('situacao', '=', 'PENDENTE'), eb('emailPorProvar', '=', true)])] : []),
      ]),
    )
    .forUpdate()
    .executeTakeFirst()
  if (!person) return false
  const proof = isProof ? { emailPorProvar: false } : {}
  await tx
    .updateTable('usuario')
    .set({ senhaHash, trocarSenha: null, ...proof })
    .where('idUsuario', '=', idUsuario)
    .execute()
  await voidPasswordLinks(tx, idUsuario)
  if (isProof) await voidConfirmationLinks(tx, idUsuario)
  const owner = { ...person, idUsuario }
  const isUnlinked = isProof && (await unlinkUnproven(tx, services, owner, { request }))
  // Before the proof, a stranger may have used the account.
  const isTakenBack = isUnlinked || (isProof && person.emailPorProvar)
  const ended = isTakenBack
    ? await revokeAskersCredentials(tx, idUsuario, now)
    : await endOthers(tx, idUsuario, { now, kept, mark: deviceMark(request, services.secrets.digest) })
  await services.writeAudit(tx, {
    action: 'password.changed',
    idUsuario,
    subject: `usuario:${idUsuario}`,
    details: { meio, ...ended },
    request,
  })
  if (person.senhaHash !== null) await notifyPasswordChanged(tx, services, owner)
  return true
}

const endOthers = async (
  tx: Db,
  idUsuario: number,
  { now, kept, mark }: { now: Date; kept: string | undefined; mark: string | undefined },
) => {
  await forgetDevices(tx, idUsuario, mark)
  return endAccessOf(tx, idUsuario, { now, kept })
}

const revokeAskersCredentials = async (tx: Db, idUsuario: number, now: Date) => {
  const dropped = await revokeCredentialsExceptPassword(tx, idUsuario, now)
  if (dropped.segundoFatorRetirado) {
    const texto =
      'O segundo fator desta conta foi configurado antes de o e-mail ser comprovado. Configure-o de novo no seu aparelho.'
    await notifySecondFactor(tx, idUsuario, { titulo: 'Segundo fator retirado', texto, now })
  }
  return dropped
}
