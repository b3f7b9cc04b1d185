import { grantsApi, userEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Audit, Write } from '../../platform/http/caller-transaction.ts'
import { assertSameSet, type Member, setEtagOfSet } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { assertDayToCome } from '../../platform/lib/day-to-come.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { findMenu, listMenuReports, type Viewer, viewerOf } from '../../reports/index.ts'
import { explainAccess } from '../explainer/explain-access.ts'
import { changeTerms, listGrants, listReportChoices, type Term } from './grants.repository.ts'
import { insertGrant } from './insert-grant.ts'
import { notifyGranted } from './notify-granted.ts'
import { assertReports, assertWorkspace, changeReports, listChoices } from './report-set.ts'

export const grantsRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  /** Audits the change, and notifies the user of the reports that were added. */
  const notifyChange = async (
    { tx, audit }: { tx: Db; audit: Audit },
    idUsuario: number,
    { added, removed, terms }: { added: number[]; removed: number[]; terms: Term[] },
  ): Promise<void> => {
    await audit('grants.changed', `usuario:${idUsuario}`, {
      liberados: added,
      retirados: removed,
      ...(terms.length === 0 ? {} : { prazos: terms }),
    })
    await notifyGranted(tx, { people: [idUsuario], reports: added }, now())
  }

  serveList(app, grantsApi.listReports, (query) => listReportChoices(db, query))

  serve(
    app,
    grantsApi.listOfUser,
    async ({ params: { idUsuario } }, { reply, user }) => {
      await findViewer(db, idUsuario)
      const grants = await listGrants(db, idUsuario, { isCurrentOnly: user.tipo !== 'ADMIN' })
      setEtagOfSet(reply, membersOf(grants))
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
    setEtagOfSet(reply, membersOf(choices.filter(({ isChecked }) => isChecked)))
    return choices
  })

  serve(app, grantsApi.create, ({ body }, { reply, write }) =>
    write(async (tx, audit) => {
      const { idUsuario, idRelatorio, validoAte } = body
      await lockRow(tx, userEntity, idUsuario)
      assertDayToCome(validoAte, { today: dayOf(now()) })
      const { isNew, isChanged } = await insertGrant(tx, { idUsuario, idRelatorio, validoAte })
      const terms = isChanged && (validoAte || !isNew) ? [{ idRelatorio, validoAte: validoAte ?? null }] : []
      const added = isNew ? [idRelatorio] : []
      if (isChanged) await notifyChange({ tx, audit }, idUsuario, { added, removed: [], terms })
      reply.code(isNew ? 201 : 200)
      return { idUsuario, idRelatorio }
    }),
  )

  const replace = (
    idUsuario: number,
    { idGrupoRelatorio, idRelatorios, prazos = [] }: GrantSet,
    { request, write }: { request: FastifyRequest; write: Write },
  ) =>
    write(async (tx, audit) => {
      if (!(await lockRow(tx, userEntity, idUsuario))) throw new Problem('nao_encontrado')
      await assertReports(tx, idRelatorios, idGrupoRelatorio)
      const wanted = new Set(idRelatorios)
      if (prazos.some(({ idRelatorio }) => !wanted.has(idRelatorio))) {
        throw new Problem('campos_invalidos', {
          campos: { prazos: 'Um dos prazos é de um relatório não marcado.' },
        })
      }
      const current = (await listGrants(tx, idUsuario)).filter(isIn(idGrupoRelatorio))
      assertSameSet(request, membersOf(current))
      const known = new Map(current.map(({ idRelatorio, validoAte }) => [idRelatorio, validoAte]))
      for (const { idRelatorio, validoAte } of prazos) {
        assertDayToCome(validoAte, { before: known.get(idRelatorio), today: dayOf(now()) })
      }
      const change = await changeReports(tx, userEntity, idUsuario, {
        current: idsOf(current),
        wanted: idRelatorios,
      })
      const terms = await changeTerms(tx, idUsuario, prazos)
      const changes = change.added.length + change.removed.length + terms.length
      if (changes > 0) await notifyChange({ tx, audit }, idUsuario, { ...change, terms })
      return listGrants(tx, idUsuario)
    })

  serve(app, grantsApi.replace, async ({ params, body }, context) => {
    const grants = await replace(params.idUsuario, body, context)
    setEtagOfSet(context.reply, membersOf(grants.filter(isIn(body.idGrupoRelatorio))))
    return grants
  })

  serve(app, grantsApi.removeAll, async ({ params: { idUsuario } }, context) => {
    await replace(idUsuario, { idRelatorios: [] }, context)
  })

  serve(app, grantsApi.explain, async ({ params: { idUsuario, idRelatorio } }) =>
    orNotFound(await explainAccess(db, idUsuario, idRelatorio)),
  )

  serve(app, grantsApi.menuOf, async ({ params: { idUsuario } }, { auditIn }) => {
    const viewer = await findViewer(db, idUsuario)
    await auditIn(db, 'menu.viewed-as', `usuario:${idUsuario}`)
    return findMenu(db, viewer)
  })

  serve(app, grantsApi.menuReportsOf, async ({ params: { idUsuario, idGrupoRelatorio } }, { auditIn }) => {
    const viewer = await findViewer(db, idUsuario)
    await auditIn(db, 'menu.viewed-as', `usuario:${idUsuario}`, { idGrupoRelatorio })
    return listMenuReports(db, viewer, idGrupoRelatorio)
  })
}

interface GrantSet {
  idGrupoRelatorio?: number | undefined
  idRelatorios: number[]
  prazos?: Term[]
}

const isIn =
  (workspace: number | undefined) =>
  ({ idGrupoRelatorio }: { idGrupoRelatorio: number }) =>
    workspace === undefined || idGrupoRelatorio === workspace

/** The members of a set of grants, by which its version is computed. */
const membersOf = (grants: Term[]): Member[] =>
  grants.map(({ idRelatorio, validoAte }) =>
    validoAte === null ? idRelatorio : (`${idRelatorio}@${validoAte}` as const),
  )

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
