import { grantsApi, userEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { findMenu, listMenuReports } from '../../access/menu.ts'
import { assertReports, assertWorkspace, diffIds } from '../../access/report-set.ts'
import { type Viewer, viewerOf } from '../../access/visible-reports.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { Write } from '../../http/caller-transaction.ts'
import { assertSameSet, setEtagOfIds } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { notifyGranted } from '../../notifications/notify-granted.ts'
import { explainAccess } from './explain-access.ts'
import {
  addGrants,
  grantedIds,
  insertGrant,
  listGrants,
  listGroupChoices,
  listReportChoices,
  removeGrants,
} from './grants.repository.ts'

export const grantsRoutes = async (app: FastifyInstance, { db, recordAudit, now }: Services) => {
  /** Audits the change, and notifies the user of the reports that were added. */
  const tellChange = async (
    tx: Db,
    { user, request }: Who,
    idUsuario: number,
    { added, removed }: { added: number[]; removed: number[] },
  ): Promise<void> => {
    await recordAudit(tx, {
      action: 'grants.changed',
      idUsuario: user.idUsuario,
      subject: `usuario:${idUsuario}`,
      details: { liberados: added, retirados: removed },
      request,
    })
    await notifyGranted(tx, { people: [idUsuario], reports: added }, now())
  }

  serve(app, grantsApi.listReports, async ({ query }, context) =>
    sendListHeaders(await listReportChoices(db, query), query, context),
  )

  serve(
    app,
    grantsApi.listOfUser,
    async ({ params: { idUsuario } }, { reply }) => {
      await findViewer(db, idUsuario)
      const grants = await listGrants(db, idUsuario)
      setEtagOfIds(reply, idsOf(grants))
      return grants
    },
    {
      authorize: async ({ idUsuario }, user) => {
        if (user.tipo !== 'ADMIN' && user.idUsuario !== idUsuario) throw new Problem('sem_permissao')
      },
    },
  )

  serve(app, grantsApi.listOfGroup, async ({ params: { idUsuario, idGrupoRelatorio } }, { reply }) => {
    await findViewer(db, idUsuario)
    await assertWorkspace(db, idGrupoRelatorio)
    const choices = await listGroupChoices(db, idUsuario, idGrupoRelatorio)
    setEtagOfIds(reply, idsOf(choices.filter(({ isChecked }) => isChecked)))
    return choices
  })

  serve(app, grantsApi.create, ({ body: { idUsuario, idRelatorio } }, { user, request, reply, write }) =>
    write(async (tx) => {
      await lockRow(tx, userEntity, idUsuario)
      const isNew = await insertGrant(tx, idUsuario, idRelatorio)
      if (isNew) await tellChange(tx, { user, request }, idUsuario, { added: [idRelatorio], removed: [] })
      reply.code(isNew ? 201 : 200)
      return { idUsuario, idRelatorio }
    }),
  )

  const replace = (
    idUsuario: number,
    { idGrupoRelatorio, idRelatorios }: { idGrupoRelatorio?: number | undefined; idRelatorios: number[] },
    who: Who & { write: Write },
  ) =>
    who.write(async (tx) => {
      if (!(await lockRow(tx, userEntity, idUsuario))) throw new Problem('nao_encontrado')
      await assertReports(tx, idRelatorios, idGrupoRelatorio)
      const current = await grantedIds(tx, idUsuario, idGrupoRelatorio)
      assertSameSet(who.request, current)
      const change = diffIds(current, idRelatorios)
      await removeGrants(tx, idUsuario, change.removed)
      await addGrants(tx, idUsuario, change.added)
      if (change.added.length + change.removed.length > 0) await tellChange(tx, who, idUsuario, change)
      return listGrants(tx, idUsuario)
    })

  serve(app, grantsApi.replace, async ({ params, body }, { user, request, reply, write }) => {
    const grants = await replace(params.idUsuario, body, { user, request, write })
    setEtagOfIds(reply, body.idRelatorios)
    return grants
  })

  serve(app, grantsApi.removeAll, async ({ params: { idUsuario } }, { user, request, write }) => {
    await replace(idUsuario, { idRelatorios: [] }, { user, request, write })
  })

  serve(app, grantsApi.explain, async ({ params: { idUsuario, idRelatorio } }) => {
    const explanation = await explainAccess(db, idUsuario, idRelatorio)
    if (!explanation) throw new Problem('nao_encontrado')
    return explanation
  })

  serve(app, grantsApi.menuOf, async ({ params: { idUsuario } }, { user, request }) => {
    const viewer = await findViewer(db, idUsuario)
    await recordAudit(db, {
      action: 'menu.viewed-as',
      idUsuario: user.idUsuario,
      subject: `usuario:${idUsuario}`,
      request,
    })
    return findMenu(db, viewer)
  })

  serve(app, grantsApi.menuReportsOf, async ({ params }, { user, request }) => {
    const { idUsuario, idGrupoRelatorio } = params
    const viewer = await findViewer(db, idUsuario)
    await recordAudit(db, {
      action: 'menu.viewed-as',
      idUsuario: user.idUsuario,
      subject: `usuario:${idUsuario}`,
      details: { idGrupoRelatorio },
      request,
    })
    return listMenuReports(db, viewer, idGrupoRelatorio)
  })
}

const idsOf = (reports: { idRelatorio: number }[]) => reports.map(({ idRelatorio }) => idRelatorio)

interface Who {
  user: Caller
  request: FastifyRequest
}

/** @throws Problem 404 when there is no such user */
const findViewer = async (db: Db, idUsuario: number): Promise<Viewer> => {
  const row = await db
    .selectFrom('usuario')
    .select(['idUsuario', 'tipoUsuario as tipo'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  if (!row) throw new Problem('nao_encontrado')
  return viewerOf(row)
}
