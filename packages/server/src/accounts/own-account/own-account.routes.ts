import { accountsApi, type CurrentUser, sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { findNameOwners, lockNames, NAME_IN_USE, nameColumns, newNameOf } from '../names/names-in-use.ts'
import { serveConfirmation } from './confirmation.routes.ts'
import { serveOwnSessions } from './own-sessions.routes.ts'
import { servePasswordChange } from './password-changes.routes.ts'

export const ownAccountRoutes = async (app: FastifyInstance, services: Services) => {
  const { config } = services
  serveOwnSessions(app, services)
  serveConfirmation(app, services)
  servePasswordChange(app, services)

  const asCurrentUser = (user: Caller): CurrentUser => ({
    idUsuario: user.idUsuario,
    nomeUsuario: user.nomeUsuario,
    emailUsuario: user.emailUsuario,
    tipoUsuario: user.tipo,
    idResponsavel: user.idResponsavel,
    acessoProntuario: user.acessoProntuario,
    encarregadoDados: user.encarregadoDados,
    pendencia: user.pendencia,
    temSenha: user.temSenha,
    sessaoExpiraEm: user.sessaoExpiraEm.toISOString(),
    sessaoOciosaEm: new Date(user.sessaoUsadaEm.getTime() + config.session.idleSeconds * 1000).toISOString(),
  })

  serve(app, sessionsApi.current, (_, { user }) => asCurrentUser(user))

  serve(app, accountsApi.updateOwn, async ({ body }, { user, write }) => {
    const { idUsuario } = user
    const nomeUsuario = await write.after(lockNames)(async (tx, audit) => {
      const before = await lockOwnName(tx, idUsuario)
      if (!before) throw new Problem('sessao_encerrada')
      const newName = newNameOf(before.nomeUsuario, body.nomeUsuario)
      if (newName === undefined) return before.nomeUsuario
      const after = await renameAccount(tx, idUsuario, newName)
      // A shared name could no longer be used for sign-in, and readers could not tell the authors
      // apart.
      const [owner] = await findNameOwners(tx, [newName], { except: [idUsuario] })
      if (owner) throw new Problem('campos_invalidos', { campos: { nomeUsuario: NAME_IN_USE } })
      await audit('user.updated', `usuario:${idUsuario}`, changeOf(before, after))
      return newName
    })
    return asCurrentUser({ ...user, nomeUsuario })
  })
}

/** Returns undefined when the user was deleted or blocked in the meantime. */
const lockOwnName = (tx: Db, idUsuario: number) =>
  tx
    .selectFrom('usuario')
    .select('nomeUsuario')
    .where('idUsuario', '=', idUsuario)
    .where(isActiveAccount())
    .forUpdate()
    .executeTakeFirst()

const renameAccount = (tx: Db, idUsuario: number, nomeUsuario: string) =>
  tx
    .updateTable('usuario')
    .set((eb) => ({ ...nameColumns(nomeUsuario), versao: eb('versao', '+', 1) }))
    .where('idUsuario', '=', idUsuario)
    .returning(['nomeUsuario', 'versao'])
    .executeTakeFirstOrThrow()
