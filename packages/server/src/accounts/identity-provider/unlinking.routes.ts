import { oidcApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { providerUnlinkedMail } from '../accounts.mail.ts'
import { endAccessOf } from '../sessions/end-sessions.ts'
import { deleteIdentities, lockAccount } from './identities.repository.ts'

/** Served without a configured provider too, so that links to a former one can be removed. */
export const serveUnlinking = (app: FastifyInstance, services: Services): void => {
  const { now } = services

  serve(app, oidcApi.unlink, async ({ params: { id } }, { user, write }) => {
    if (id === user.idUsuario) {
      throw new Problem('propria_conta', {
        detail: 'Você não pode desligar a sua própria conta do provedor. Peça a outro administrador.',
      })
    }
    await write(async (tx, audit) => {
      const person = orNotFound(await lockAccount(tx, id))
      const identidades = await deleteIdentities(tx, id)
      if (identidades.length === 0) throw new Problem('identidade_ausente')
      const ended = await endAccessOf(tx, id, { now: now(), kept: undefined })
      await audit('account.unlinked', `usuario:${id}`, { identidades, ...ended })
      const { nomeUsuario: nome, emailUsuario: para } = person
      const quando = now().toISOString()
      const mail = { nome, por: user.nomeUsuario, quando }
      await queueMail(tx, services, providerUnlinkedMail, { para, mail })
    })
  })
}
