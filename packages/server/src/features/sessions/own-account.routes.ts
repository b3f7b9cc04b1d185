import { accountsApi, type CurrentUser, sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { changeOf } from '../../audit/record-change.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'

export const serveOwnAccount = (app: FastifyInstance, { db, config, recordAudit }: Services): void => {
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

  serve(app, accountsApi.updateOwn, async ({ body: { nomeUsuario } }, { user, request }) => {
    const { idUsuario } = user
    await inTransaction(db, async (tx) => {
      const names = await renameAccount(tx, idUsuario, nomeUsuario)
      if (!names) throw new Problem('sessao_encerrada')
      // Two of one name could no longer sign in with it.
      if (await isNameOfAnother(tx, idUsuario, nomeUsuario)) {
        throw new Problem('campos_invalidos', {
          campos: { nomeUsuario: 'Outra pessoa já usa este nome. Acrescente um sobrenome.' },
        })
      }
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

const isNameOfAnother = async (tx: Db, idUsuario: number, nomeUsuario: string): Promise<boolean> => {
  const other = await tx
    .selectFrom('usuario')
    .select('idUsuario')
    .where(sql<boolean>`nome_ordem = sem_acento(${nomeUsuario})`)
    .where('idUsuario', '<>', idUsuario)
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()
  return other !== undefined
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
    .set((eb) => ({ nomeUsuario, versao: eb('versao', '+', 1) }))
    .where('idUsuario', '=', idUsuario)
    .returning(['nomeUsuario', 'versao'])
    .executeTakeFirstOrThrow()
  return { before, after }
}
