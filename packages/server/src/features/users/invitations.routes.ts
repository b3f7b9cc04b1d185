import { Approval, problems, type User, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { createLink, linkAddress, linkLifetime, voidLinks } from '../../auth/account-links.ts'
import { revokeCredentials } from '../../auth/drop-entrance.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { assertRecentProof } from '../../auth/recent-sign-in.ts'
import { deleteUnprovenIdentities } from '../../auth/unproven-identities.ts'
import type { Db } from '../../db/open-database.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { assertNameFree, lockNames } from '../../names/names-in-use.ts'
import { markNotificationsResolved } from '../../notifications/settle.ts'
import {
  insertUserUnlessEmailTaken,
  joinChosenProfiles,
  lockUser,
  lockUserOfEmail,
  updateUser,
} from './users.repository.ts'
import { needsProof } from './users.rules.ts'

export const serveInvitations = (app: FastifyInstance, services: Services): void => {
  const { config, now, recordAudit } = services

  const sendInvitation = async (
    tx: Db,
    { idUsuario, nomeUsuario: nome, emailUsuario: para }: User,
    convidadoPor: string,
  ) => {
    const token = await createLink(tx, services, { idUsuario, tipo: 'convite' })
    const mail = {
      modelo: 'convite',
      nome,
      convidadoPor,
      link: linkAddress(config, 'convite', token),
      dias: linkLifetime.convite / (24 * 3_600_000),
    } as const
    await queueMail(tx, services, { para, mail })
  }
  const authorize = async () => assertPasswordSignIn(config)

  serve(
    app,
    usersApi.invite,
    async ({ body }, { user, request, write }) =>
      write.after(lockNames)(async (tx) => {
        const created = await insertUserUnlessEmailTaken(tx, { ...body, senhaHash: null })
        if (created) await assertNameFree(tx, created)
        const invited = created ?? (await lockUserOfEmail(tx, body.emailUsuario))
        if (!invited?.convitePendente)
          throw new Problem('email_em_uso', { campos: { emailUsuario: problems.email_em_uso.detail } })
        await recordAudit(tx, {
          action: 'account.invited',
          idUsuario: user.idUsuario,
          subject: `usuario:${invited.idUsuario}`,
          details: created ? { depois: created } : { deNovo: true },
          request,
        })
        await sendInvitation(tx, invited, user.nomeUsuario)
        return { ...invited, conviteAnterior: !created }
      }),
    { authorize },
  )

  serve(
    app,
    usersApi.inviteAsker,
    async ({ params: { id }, body }, { user, request, write }) => {
      if (id === user.idUsuario) throw new Problem('propria_conta', { detail: ofOneself })
      return write.after(lockNames)(async (tx) => {
        const before = await lockUser(tx, id)
        if (!before) throw new Problem('nao_encontrado')
        if (before.emailComprovado) throw new Problem('email_ja_confirmado')
        const { tipoUsuario, idPerfis } = body ?? Approval.parse({})
        const chosen = before.situacao === 'PENDENTE' ? { tipoUsuario, idPerfis } : {}
        if (before.situacao === 'PENDENTE') await joinChosenProfiles(tx, id, idPerfis)
        await voidLinks(tx, id)
        const dropped = await revokeCredentials(tx, id, now())
        const identidades = await deleteUnprovenIdentities(tx, id)
        const change = { situacao: 'ATIVO', ...(chosen.tipoUsuario ? { tipoUsuario } : {}) } as const
        const invited = await updateUser(tx, id, change, undefined)
        if (!invited) throw new Problem('nao_encontrado')
        if (needsProof(before, invited)) assertRecentProof(services, user)
        await assertNameFree(tx, invited)
        await recordAudit(tx, {
          action: 'account.invited',
          idUsuario: user.idUsuario,
          subject: `usuario:${id}`,
          details: { ...chosen, ...dropped, ...(identidades.length > 0 ? { identidades } : {}) },
          request,
        })
        await markNotificationsResolved(tx, `usuario:${id}`, now())
        await sendInvitation(tx, invited, user.nomeUsuario)
        return invited
      })
    },
    { authorize },
  )
}

const ofOneself =
  'Você não pode retirar a sua própria senha. Confirme o seu e-mail com “Recuperar senha”, ou peça a outro administrador.'
