import { problems, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { createLink, linkLifetime } from '../../auth/account-links.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { Problem } from '../../problem.ts'
import { insertUserOfNewEmail, lockUserOfEmail } from './users.repository.ts'

export const serveInvitations = (app: FastifyInstance, services: Services): void => {
  const { db, config, recordAudit } = services

  serve(
    app,
    usersApi.invite,
    async ({ body }, { user, request }) =>
      inTransaction(db, async (tx) => {
        const created = await insertUserOfNewEmail(tx, { ...body, senhaHash: null })
        const invited = created ?? (await lockUserOfEmail(tx, body.emailUsuario))
        if (!invited?.convitePendente)
          throw new Problem('email_em_uso', { campos: { emailUsuario: problems.email_em_uso.detail } })
        const { idUsuario, nomeUsuario: nome, emailUsuario: para } = invited
        const token = await createLink(tx, services, { idUsuario, tipo: 'convite' })
        await recordAudit(tx, {
          action: 'account.invited',
          idUsuario: user.idUsuario,
          subject: `usuario:${idUsuario}`,
          details: created ? { depois: created } : { deNovo: true },
          request,
        })
        const mail = {
          modelo: 'convite',
          nome,
          convidadoPor: user.nomeUsuario,
          link: `${config.publicUrl}/convite?token=${token}`,
          dias: linkLifetime.convite / (24 * 3_600_000),
        } as const
        await queueMail(tx, services, { para, mail })
        return { ...invited, conviteAnterior: !created }
      }),
    { authorize: async () => assertPasswordSignIn(config) },
  )
}
