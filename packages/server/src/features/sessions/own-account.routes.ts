import { accountsApi, type CurrentUser, sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../audit/record-change.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { findNameOwners, lockNames, NAME_IN_USE, nameColumns } from '../../names/names-in-use.ts'
import { Problem } from '../../problem.ts'

export const serveOwnAccount = (app: FastifyInstance, { config, recordAudit }: Services): void => {
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

  serve(app, accountsApi.updateOwn, async ({ body: { nomeUsuario } }, { user, request, write }) => {
    const { idUsuario } = user
    await write.after(lockNames)(async (tx) => {
      const names = await renameAccount(tx, idUsuario, nomeUsuario)
      if (!names) throw new Problem('sessao_encerrada')
      // Two of one name could no longer sign in with it, and would be one author to a reader.
      const [owner] = await findNameOwners(tx, [nomeUsuario], { except: [idUsuario] })
      if (owner) throw new Problem('campos_invalidos', { campos: { nomeUsuario: NAME_IN_USE } })
      await recordAudit(tx, {
        action: 'user.updated',
        idUsuario,
        subject: `usuario:${idUsuario}`,
        details: changeOf(names.before, names.after),
        request,
      })
    })
    return asCurrentUser({ ...user, nomeUsuario })
  })
}

/** Undefined when the person was deleted or shut out meanwhile. */
const renameAccount = async (tx: Db, idUsuario: number, nomeUsuario: string) => {
  const before = await tx
    .selectFrom('usuario')
    .select('nomeUsuario')
    .where('idUsuario', '=', idUsuario)
    .where('situacao', '=', 'ATIVO')
    .forUpdate()
    .executeTakeFirst()
  if (!before) return undefined
  const after = await tx
    .updateTable('usuario')
    .set((eb) => ({ ...nameColumns(nomeUsuario), versao: eb('versao', '+', 1) }))
    .where('idUsuario', '=', idUsuario)
    .returning(['nomeUsuario', 'versao'])
    .executeTakeFirstOrThrow()
  return { before, after }
}
