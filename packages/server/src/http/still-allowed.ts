import { can } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../db/open-database.ts'
import { Problem } from '../problem.ts'
import type { Caller } from './caller.ts'

/** Of a caller, what decides which rows and reports they see. */
type Sight = Pick<Caller, 'tipo' | 'emailUsuario' | 'identidadeRls'>

/**
 * Asks again, in the transaction that writes, whether the caller may: a body is on its way for up to minutes after the guard has
 * let the call in. A call without one was judged a moment ago.
 * @returns the caller as they are by now; undefined where nothing had to be asked
 * @throws Problem 401 where the session has ended meanwhile, 403 where the right was taken
 */
export const assertStillAllowed = async (
  tx: Db,
  { method, caller, routeOptions }: FastifyRequest,
  now: Date,
): Promise<Sight | undefined> => {
  const { permission } = routeOptions.config
  if (method === 'GET' || !caller || !permission) return undefined
  const actor = await tx
    .selectFrom('sessao')
    .innerJoin('usuario', 'usuario.idUsuario', 'sessao.idUsuario')
    .select(['tipoUsuario as tipo', 'acessoProntuario', 'encarregadoDados', 'emailUsuario', 'identidadeRls'])
    .where('idSessao', '=', caller.idSessao)
    .where('encerradaEm', 'is', null)
    .where('expiraEm', '>', now)
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()
  if (!actor) throw new Problem('sessao_encerrada')
  if (!can(actor, permission)) throw new Problem('sem_permissao')
  const { tipo, emailUsuario, identidadeRls } = actor
  return { tipo, emailUsuario, identidadeRls }
}
