import { Approval, type User, usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Config } from '../../platform/config/config.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { takeBack } from '../../platform/notifications/notify.ts'
import { accountApprovedMail, accountRefusedMail } from '../accounts.mail.ts'
import { assertNameFree, lockNames } from '../names/names-in-use.ts'
import { deleteUser, joinChosenProfiles, lockUser, updateUser } from './users.repository.ts'
import { assertEmailProven } from './users.rules.ts'

export const serveApprovals = (app: FastifyInstance, services: Services): void => {
  const { config } = services

  serve(app, usersApi.approve, async ({ params: { id }, body }, { assertReauthenticated, write }) => {
    const { tipoUsuario, idPerfis } = body ?? Approval.parse({})
    if (tipoUsuario === 'ADMIN') assertReauthenticated()
    await write.after(lockNames)(async (tx, audit) => {
      const account = await lockPending(tx, id)
      assertEmailProven(account, config)
      await assertNameFree(tx, account)
      await updateUser(tx, id, { situacao: 'ATIVO', tipoUsuario, senhaHash: undefined })
      await joinChosenProfiles(tx, id, idPerfis)
      await audit('account.approved', `usuario:${id}`, { tipoUsuario, idPerfis })
      await takeBack(tx, `usuario:${id}`)
      await queueMail(tx, services, accountApprovedMail, approvalMail(account, config))
    })
  })

  serve(app, usersApi.refuse, async ({ params: { id } }, { write }) => {
    await write(async (tx, audit) => {
      const antes = await lockPending(tx, id)
      await deleteUser(tx, id)
      await audit('account.refused', `usuario:${id}`, { antes })
      const mail = { nome: antes.nomeUsuario }
      await queueMail(tx, services, accountRefusedMail, { para: antes.emailUsuario, mail })
    })
  })
}

export const approvalMail = (
  { nomeUsuario: nome, emailUsuario: para }: Pick<User, 'nomeUsuario' | 'emailUsuario'>,
  { publicUrl }: Pick<Config, 'publicUrl'>,
) => ({ para, mail: { nome, link: `${publicUrl}/` } })

/** Locks a pending account: a concurrent second decision waits here and then gets 409. */
const lockPending = async (tx: Db, id: number) => {
  const account = orNotFound(await lockUser(tx, id))
  if (account.situacao !== 'PENDENTE') throw new Problem('conta_nao_pendente')
  return account
}
