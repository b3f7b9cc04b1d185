import { grantsApi, userEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { findMenu, listMenuReports } from '../../access/menu.ts'
import {
  assertReports,
  assertWorkspace,
  changeReports,
  listChoices,
  reportIdsOf,
} from '../../access/report-set.ts'
import { type Viewer, viewerOf } from '../../access/visible-reports.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { AuditOwn, Write } from '../../http/caller-transaction.ts'
import { assertSameSet, setEtagOfIds } from '../../http/if-match.ts'
import { serveList } from '../../http/lists/serve-list.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { orNotFound, Problem } from '../../lib/problem.ts'
import { notifyGranted } from '../../notifications/notify-granted.ts'
import { explainAccess } from './explain-access.ts'
import { insertGrant, listGrants, listReportChoices } from './grants.repository.ts'

export const grantsRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  /** Audits the change, and notifies the user of the reports that were added. */
  const tellChange = async (
    { tx, audit }: { tx: Db; audit: AuditOwn },
    idUsuario: number,
    { added, removed }: { added: number[]; removed: number[] },
  ): Promise<void> => {
    await audit('grants.changed', `usuario:${idUsuario}`, { liberados: added, retirados: removed })
    await notifyGranted(tx, { people: [idUsuario], reports: added }, now())
  }

  serveList(app, grantsApi.listReports, (query) => listReportChoices(db, query))

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
    const choices = await listChoices(db, userEntity, idUsuario, idGrupoRelatorio)
    setEtagOfIds(reply, idsOf(choices.filter(({ isChecked }) => isChecked)))
    return choices
  })

  serve(app, grantsApi.create, ({ body: { idUsuario, idRelatorio } }, { reply, write }) =>
    write(async (tx, audit) => {
      await lockRow(tx, userEntity, idUsuario)
      const isNew = await insertGrant(tx, idUsuario, idRelatorio)
      if (isNew) await tellChange({ tx, audit }, idUsuario, { added: [idRelatorio], removed: [] })
      reply.code(isNew ? 201 : 200)
      return { idUsuario, idRelatorio }
    }),
  )

  const replace = (
    idUsuario: number,
    { idGrupoRelatorio, idRelatorios }: { idGrupoRelatorio?: number | undefined; idRelatorios: number[] },
    { request, write }: { request: FastifyRequest; write: Write },
  ) =>
    write(async (tx, audit) => {
      if (!(await lockRow(tx, userEntity, idUsuario))) throw new Problem('nao_encontrado')
      await assertReports(tx, idRelatorios, idGrupoRelatorio)
      const current = await reportIdsOf(tx, userEntity, idUsuario, idGrupoRelatorio)
      assertSameSet(request, current)
      const change = await changeReports(tx, userEntity, idUsuario, { current, wanted: idRelatorios })
      if (change.added.length + change.removed.length > 0) await tellChange({ tx, audit }, idUsuario, change)
      return listGrants(tx, idUsuario)
    })

  serve(app, grantsApi.replace, async ({ params, body }, context) => {
    const grants = await replace(params.idUsuario, body, context)
    setEtagOfIds(context.reply, body.idRelatorios)
    return grants
  })

  serve(app, grantsApi.removeAll, async ({ params: { idUsuario } }, context) => {
    await replace(idUsuario, { idRelatorios: [] }, context)
  })

  serve(app, grantsApi.explain, async ({ params: { idUsuario, idRelatorio } }) =>
    orNotFound(await explainAccess(db, idUsuario, idRelatorio)),
  )

  serve(app, grantsApi.menuOf, async ({ params: { idUsuario } }, { audit }) => {
    const viewer = await findViewer(db, idUsuario)
    await audit(db, 'menu.viewed-as', `usuario:${idUsuario}`)
    return findMenu(db, viewer)
  })

  serve(app, grantsApi.menuReportsOf, async ({ params: { idUsuario, idGrupoRelatorio } }, { audit }) => {
    const viewer = await findViewer(db, idUsuario)
    await audit(db, 'menu.viewed-as', `usuario:${idUsuario}`, { idGrupoRelatorio })
    return listMenuReports(db, viewer, idGrupoRelatorio)
  })
}

const idsOf = (reports: { idRelatorio: number }[]) => reports.map(({ idRelatorio }) => idRelatorio)

/** @throws Problem 404 when there is no such user */
const findViewer = async (db: Db, idUsuario: number): Promise<Viewer> => {
  const row = await db
    .selectFrom('usuario')
    .select(['idUsuario', 'tipoUsuario as tipo'])
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return viewerOf(orNotFound(row))
}
