import { oidcApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { endSessionsOf } from '../../auth/end-sessions.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { deleteIdentities, lockAccount } from './identities.repository.ts'

/** Served without a configured provider too, so that links to a former one can be removed. */
export const serveUnlinking = (app: FastifyInstance, services: Services): void => {
  const { now, recordAudit } = services

  serve(app, oidcApi.unlink, async ({ params: { id } }, { user, request, write }) => {
    if (id === user.idUsuario) {
      throw new Problem('propria_conta', {
        detail: 'Você não pode desligar a sua própria conta do provedor. Peça a outro administrador.',
      })
    }
    await write(async (tx) => {
      const person = await lockAccount(tx, id)
      if (!person) throw new Problem('nao_encontrado')
      const identidades = await deleteIdentities(tx, id)
      if (identidades.length === 0) throw new Problem('identidade_ausente')
      const sessoesEncerradas = await endSessionsOf(tx, id, { now: now(), kept: undefined })
      await recordAudit(tx, {
        action: 'account.unlinked',
        idUsuario: user.idUsuario,
        subject: `usuario:${id}`,
        details: { identidades, sessoesEncerradas },
        request,
      })
      const { nomeUsuario: nome, emailUsuario: para } = person
      const quando = now().toISOString()
      const mail = { modelo: 'provedor_desligado', nome, por: user.nomeUsuario, quando } as const
      await queueMail(tx, services, { para, mail })
    })
  })
}
