import { Approval, problems, type User, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { takeBack } from '../../platform/notifications/notify.ts'
import { invitationMail } from '../accounts.mail.ts'
import { createLink, voidLinks } from '../credentials/account-links.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { revokeCredentials } from '../credentials/revoke-credentials.ts'
import { deleteUnprovenIdentities } from '../credentials/unproven-identities.ts'
import { assertNameFree, lockNames } from '../names/names-in-use.ts'
import { invitationContent } from './invitation-mail.ts'
import {
  insertUserUnlessEmailTaken,
  joinChosenProfiles,
  lockUser,
  lockUserOfEmail,
  updateUser,
} from './users.repository.ts'
import { needsReauthentication } from './users.rules.ts'

export const serveInvitations = (app: FastifyInstance, services: Services): void => {
  const { config, now } = services

  const sendInvitation = async (
    tx: Db,
    { idUsuario, nomeUsuario: nome, emailUsuario: para }: User,
    convidadoPor: string,
  ) => {
    const token = await createLink(tx, services, { idUsuario, tipo: 'convite' })
    const mail = invitationContent(config, { nome, convidadoPor, token })
    await queueMail(tx, services, invitationMail, { para, mail })
  }
  const authorize = async () => assertPasswordSignIn(config)

  serve(
    app,
    usersApi.invite,
    async ({ body }, { user, write }) =>
      write.after(lockNames)(async (tx, audit) => {
        const created = await insertUserUnlessEmailTaken(tx, { ...body, senhaHash: null })
        if (created) await assertNameFree(tx, created)
        const invited = created ?? (await lockUserOfEmail(tx, body.emailUsuario))
        if (!invited?.convitePendente)
          throw new Problem('email_em_uso', { campos: { emailUsuario: problems.email_em_uso.detail } })
        await audit(
          'account.invited',
          `usuario:${invited.idUsuario}`,
          created ? { depois: created } : { deNovo: true },
        )
        await sendInvitation(tx, invited, user.nomeUsuario)
        return { ...invited, conviteAnterior: !created }
      }),
    { authorize },
  )

  serve(
    app,
    usersApi.inviteMailboxOwner,
    async ({ params: { id }, body }, { user, assertReauthenticated, write }) => {
      if (id === user.idUsuario) throw new Problem('propria_conta', { detail: ownAccountRefused })
      return write.after(lockNames)(async (tx, audit) => {
        const before = orNotFound(await lockUser(tx, id))
        if (before.emailComprovado) throw new Problem('email_ja_confirmado')
        const { tipoUsuario, idPerfis } = body ?? Approval.parse({})
        const isPending = before.situacao === 'PENDENTE'
        if (isPending) await joinChosenProfiles(tx, id, idPerfis)
        // Another person may have signed up with this e-mail: only the link gives access now.
        await voidLinks(tx, id)
        const revoked = await revokeCredentials(tx, id, now())
        const identidades = await deleteUnprovenIdentities(tx, id)
        const change = { situacao: 'ATIVO', ...(isPending ? { tipoUsuario } : {}) } as const
        const invited = await updateUser(tx, id, change)
        // Compares with the updated row; a refusal rolls the update back.
        if (needsReauthentication(before, invited, dayOf(now()))) assertReauthenticated()
        await assertNameFree(tx, invited)
        await audit('account.invited', `usuario:${id}`, {
          ...(isPending ? { tipoUsuario, idPerfis } : {}),
          ...revoked,
          ...(identidades.length > 0 ? { identidades } : {}),
        })
        await takeBack(tx, `usuario:${id}`)
        await sendInvitation(tx, invited, user.nomeUsuario)
        return invited
      })
    },
    { authorize },
  )
}

const ownAccountRefused =
  'Você não pode retirar a sua própria senha. Confirme o seu e-mail com “Recuperar senha”, ou peça a outro administrador.'
