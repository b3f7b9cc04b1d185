import { usersApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { recordAudit } from '../../audit/record-audit.ts'
import { changeOf, missedUpdate } from '../../audit/record-change.ts'
import { hashPassword } from '../../auth/passwords.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { asDownload, csvStream } from '../../http/csv.ts'
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

  serve(app, usersApi.exportCsv, async ({ query }, { user, request, reply }) => {
    const rows = await exportUsers(db, query)
    const details = { linhas: rows.length, ...query }
    await recordAudit(db, {
      action: 'list.exported',
      idUsuario: user.idUsuario,
      subject: 'users',
      details,
      request,
    })
    asDownload(reply, 'usuarios.csv')
    return csvStream(rows, {
      nomeUsuario: 'Nome do usuário',
      emailUsuario: 'E-mail',
      tipoUsuario: 'Perfil',
      situacao: 'Situação',
      acessoProntuario: 'Acesso a prontuários',
      identidadeRls: 'Identidade de segurança',
      ultimoAcesso: 'Último acesso',
    })
  })

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

  serve(app, usersApi.update, async ({ params: { id }, body }, { user, ifMatch, request }) => {
    const { senhaUsuario, ...fields } = body
    const senhaHash = senhaUsuario == null ? undefined : await hashPassword(senhaUsuario)
    return inTransaction(db, async (tx) => {
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
        // Whoever edits themself stays in, unless they gave up the right to be here.
        const kept = id === user.idUsuario && isActiveAdmin(after) ? user.idSessao : undefined
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

const subjectOf = (id: number) => `user:${id}`
