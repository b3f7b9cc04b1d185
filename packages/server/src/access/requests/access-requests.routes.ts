import {
  type AccessRequest,
  type AccessRequestAnswer,
  accessRequestsApi,
  MAX_ACCESS_REQUESTS_PER_DAY,
  userEntity,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { joinProfiles } from '../../accounts/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Audit } from '../../platform/http/caller-transaction.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { assertDayToCome } from '../../platform/lib/day-to-come.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { viewerOf } from '../../reports/index.ts'
import { insertGrant } from '../grants/insert-grant.ts'
import {
  countOpen,
  countSince,
  findAsked,
  findOpen,
  getRequest,
  insertRequest,
  listOwn,
  listProfilesOf,
  listRequests,
  lockRepeated,
  lockRequest,
  searchHidden,
  updateRequests,
} from './access-requests.repository.ts'
import { notifyAdmins, notifyPerson } from './notify-of-requests.ts'

const day = 24 * 3_600_000

export const accessRequestsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, now } = services

  serve(app, accessRequestsApi.create, ({ body }, { user, reply, write }) =>
    // One at a time per person, so that neither the limit nor the open request is passed twice.
    write.exclusive(async (tx, audit) => {
      const viewer = viewerOf(user)
      const asked = await findAsked(tx, viewer, body)
      if (asked?.isVisible) throw new Problem('acesso_ja_liberado')
      const open = await findOpen(tx, user.idUsuario, body)
      if (open === undefined) {
        const since = new Date(now().getTime() - day)
        const isTooMany = (await countSince(tx, user.idUsuario, since)) >= MAX_ACCESS_REQUESTS_PER_DAY
        if (isTooMany) throw new Problem('muitos_pedidos_acesso', { retryAfter: day / 1000 })
      }
      const idFound = asked?.idRelatorio ?? null
      const draft = { ...body, idUsuario: user.idUsuario, idFound, criadoEm: now() }
      const idPedido = open ?? (await insertRequest(tx, draft))
      if (open === undefined) {
        const subject = `relatorio:${idFound ?? `${body.groupId}/${body.reportId}`}`
        await audit('grants.requested', subject, { idPedido })
        const { idUsuario, nomeUsuario } = user
        await notifyAdmins(tx, { idUsuario, nomeUsuario, open: await countOpen(tx) }, now())
      }
      reply.code(open === undefined ? 201 : 200)
      const [own] = await listOwn(tx, viewer, idPedido)
      if (!own) throw new Error('The request was not written.')
      return own
    }),
  )

  serve(app, accessRequestsApi.listOwn, (_, { user }) => listOwn(db, viewerOf(user)))

  serve(app, accessRequestsApi.searchHidden, ({ query }, { user }) =>
    searchHidden(db, viewerOf(user), query.busca),
  )

  serveList(app, accessRequestsApi.list, (query) => listRequests(db, query))

  serve(app, accessRequestsApi.listProfiles, async ({ params: { id } }) => {
    const { idRelatorio } = orNotFound(await findPersonAndReport(db, id))
    return idRelatorio === null ? [] : listProfilesOf(db, idRelatorio)
  })

  serve(app, accessRequestsApi.answer, ({ params: { id }, body }, { user, write }) =>
    write(async (tx, audit) => {
      const known = orNotFound(await findPersonAndReport(tx, id))
      // The person before the request, as everywhere else that changes grants.
      await lockRow(tx, userEntity, known.idUsuario)
      const request = orNotFound(await lockRequest(tx, id))
      if (request.situacao !== 'ABERTO') throw new Problem('pedido_ja_respondido')
      const { idUsuario, idRelatorio, idPedido } = request
      const repeated =
        idRelatorio === null ? [] : await lockRepeated(tx, { idUsuario, idRelatorio, idPedido })
      await give(tx, audit, { answer: body, idUsuario, idRelatorio, today: dayOf(now()) })
      await updateRequests(tx, [idPedido, ...repeated], {
        situacao: body.decisao,
        respondidoEm: now(),
        respondidoPor: user.idUsuario,
        idPerfil: body.decisao === 'PERFIL' ? body.idPerfil : null,
        mensagem: body.mensagem,
      })
      const subject = `usuario:${idUsuario}`
      await audit('grants.request-answered', subject, { idPedido, idRelatorio, decisao: body.decisao })
      const answered: AccessRequest = await getRequest(tx, id)
      const [own] = await listOwn(tx, { idUsuario, isAdmin: false }, idPedido)
      const lastDay = body.decisao === 'LIBERADO' ? body.validoAte : null
      await notifyPerson(tx, services, { request: answered, own, lastDay, by: user.idUsuario })
      return answered
    }),
  )
}

/** Reads without a lock, to lock the person's row first. */
const findPersonAndReport = (db: Db, id: number) =>
  db
    .selectFrom('pedidoAcesso')
    .select(['idRelatorio', 'idUsuario'])
    .where('idPedido', '=', id)
    .executeTakeFirst()

interface Given {
  answer: AccessRequestAnswer
  idUsuario: number
  idRelatorio: number | null
  today: string
}

/** @throws Problem 409 when there is no report, 422 for a day that has passed or another profile */
const give = async (
  tx: Db,
  audit: Audit,
  { answer, idUsuario, idRelatorio, today }: Given,
): Promise<void> => {
  if (answer.decisao === 'RECUSADO') return
  if (idRelatorio === null) throw new Problem('relatorio_do_pedido_ausente')
  if (answer.decisao === 'PERFIL') {
    const { idPerfil } = answer
    const isOffered = (await listProfilesOf(tx, idRelatorio)).some((one) => one.idPerfil === idPerfil)
    if (!isOffered) {
      throw new Problem('campos_invalidos', { campos: { idPerfil: 'Este perfil não tem mais o relatório.' } })
    }
    if ((await joinProfiles(tx, [{ idPerfil, idUsuario }])).length === 0) return
    await audit('profile.members-changed', `perfil:${idPerfil}`, { entraram: [idUsuario], sairam: [] })
    return
  }
  const { validoAte } = answer
  assertDayToCome(validoAte, { today })
  const { isNew, isChanged } = await insertGrant(tx, { idUsuario, idRelatorio, validoAte })
  if (!isChanged) return
  await audit('grants.changed', `usuario:${idUsuario}`, {
    liberados: isNew ? [idRelatorio] : [],
    retirados: [],
    ...(validoAte === null ? {} : { prazos: [{ idRelatorio, validoAte }] }),
  })
}
