import { usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { recordAudit } from '../../audit/record-audit.ts'
import { changeOf, missedUpdate } from '../../audit/record-change.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Caller } from '../../http/caller.ts'
import { answerCsv } from '../../http/csv.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { answerList } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
import { serveUserImport } from './user-import.routes.ts'
import {
  deleteUser,
  endSessionsOf,
  exportUsers,
  findUser,
  insertUser,
  listUsers,
  lockActiveAdmins,
  lockUser,
  updateUser,
} from './users.repository.ts'
import { changesStanding, isActiveAdmin, isOnlyOne, mayTakePower } from './users.rules.ts'

export const usersRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now } = services

  serve(app, usersApi.list, async ({ query }, context) =>
    answerList(await listUsers(db, query), query, context),
  )

  serve(app, usersApi.exportCsv, async ({ query }, context) =>
    answerCsv(db, context, {
      name: 'usuarios',
      query,
      list: await exportUsers(db, query),
      columns: {
        nomeUsuario: 'Nome do usuário',
        emailUsuario: 'E-mail',
        tipoUsuario: 'Perfil',
        situacao: 'Situação',
        acessoProntuario: 'Acesso a prontuários',
        identidadeRls: 'Identidade de segurança',
        ultimoAcesso: 'Último acesso',
      },
    }),
  )

  serve(
    app,
    usersApi.get,
    async ({ params }) => {
      const found = await findUser(db, params.id)
      if (!found) throw new Problem('nao_encontrado')
      return found
    },
    {
      authorize: async ({ id }, user) => {
        if (user.tipo !== 'ADMIN' && user.idUsuario !== id) throw new Problem('sem_permissao')
      },
    },
  )

  serve(app, usersApi.create, async ({ body }, { user, request }) => {
    const { senhaUsuario, ...person } = body
    const senhaHash = await hashPassword(senhaUsuario)
    return inTransaction(db, async (tx) => {
      const created = await insertUser(tx, { ...person, senhaHash })
      await recordAudit(tx, {
        action: 'user.created',
        idUsuario: user.idUsuario,
        subject: subjectOf(created.idUsuario),
        details: { depois: created },
        request,
      })
      return created
    })
  })

  serve(app, usersApi.update, async ({ params: { id }, body }, { user, request }) => {
    const { senhaUsuario, ...fields } = body
    if (senhaUsuario != null && id === user.idUsuario) assertRecentSignIn(user, now())
    const senhaHash = senhaUsuario == null ? undefined : await hashPassword(senhaUsuario)
    return inTransaction(db, async (tx) => {
      const ifMatch = ifMatchOf(request)
      const admins = mayTakePower(body) ? await lockActiveAdmins(tx) : []
      const before = await lockUser(tx, id)
      const after = before && (await updateUser(tx, id, { ...fields, senhaHash }, ifMatch))
      if (!after) throw await missedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      if (isActiveAdmin(before) && !isActiveAdmin(after) && isOnlyOne(admins, id)) {
        throw new Problem('ultimo_administrador')
      }
      const { depois, ...change } = changeOf(before, after)
      let sessoesEncerradas = 0
      if (senhaHash !== undefined || changesStanding(before, after)) {
        // Whoever edits themself stays in, unless what their session was begun with is no longer true.
        const kept = id === user.idUsuario && !changesStanding(before, after) ? user.idSessao : undefined
        sessoesEncerradas = await endSessionsOf(tx, id, { now: now(), kept })
      }
      await recordAudit(tx, {
        action: 'user.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: {
          ...change,
          depois: { ...depois, ...(senhaHash === undefined ? {} : { senhaUsuario: 'alterada' }) },
          sessoesEncerradas,
        },
        request,
      })
      return after
    })
  })

  serve(app, usersApi.remove, async ({ params: { id } }, { user, request }) => {
    if (id === user.idUsuario) throw new Problem('propria_conta')
    await inTransaction(db, async (tx) => {
      const admins = await lockActiveAdmins(tx)
      const before = await deleteUser(tx, id)
      if (!before) throw new Problem('nao_encontrado')
      if (isActiveAdmin(before) && isOnlyOne(admins, id)) throw new Problem('ultimo_administrador')
      await recordAudit(tx, {
        action: 'user.deleted',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { antes: before },
        request,
      })
    })
  })

  serveUserImport(app, services)
}

const subjectOf = (id: number) => `usuario:${id}`

/** One's own password changes only right after it was typed: an open session must not be enough to take the account over. */
const assertRecentSignIn = ({ sessaoCriadaEm }: Caller, now: Date): void => {
  if (now.getTime() - sessaoCriadaEm.getTime() > recentMs) throw new Problem('reautenticacao_necessaria')
}
const recentMs = 10 * 60_000
