import { dataFreshnessApi, type RefreshSchedule, reportEntity, userEntity } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import {
  beginRefresh,
  type ConnectionServices,
  type DatasetPlace,
  findRegisteredReport,
  type ReadSchedule,
  withAdminAdvice,
} from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import { assertProduction } from '../../platform/installation/test-environment.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { countOpenThreads } from '../comments/comment-readers.ts'
import { createViewCheck } from '../visibility/may-view.ts'
import {
  assertFewRequests,
  deleteRefresher,
  insertRefresher,
  listRefreshers,
  mayRefresh,
} from './data-freshness.repository.ts'
import { describeRefresh, freshnessOf, unknownFreshness } from './describe-refresh.ts'
import { expectRefreshes } from './refreshed-reports.ts'

/** Returns the schedule of a dataset for the screen. */
const describeSchedule = ({ isEnabled, days, times, zoneText }: ReadSchedule): RefreshSchedule => ({
  ativa: isEnabled,
  dias: days,
  horarios: times,
  fuso: zoneText,
})

/** Milliseconds. All viewers of a dataset share one answer of this age. */
const viewersAgeMs = 5 * 60_000

/** Milliseconds. Administrators see what they have just corrected. */
const adminsAgeMs = 5_000

type RegisteredReport = NonNullable<Awaited<ReturnType<typeof findRegisteredReport>>>

export const dataFreshnessRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { capacityGate, db, embedIssuer, now, powerBi, refreshHistories } = services

  // It may have been deleted after the permission check.
  const findReport = async (id: number) => orNotFound(await findRegisteredReport(services, id))

  /** Runs the work on the dataset of a report. A refusal tells an ADMIN what to do. */
  const withDataset = async <T>(
    report: RegisteredReport,
    { tipo }: Caller,
    work: (dataset: DatasetPlace) => Promise<T>,
  ): Promise<T> => {
    try {
      return await work(await embedIssuer.placeOfDataset(report))
    } catch (error) {
      throw tipo === 'ADMIN' ? withAdminAdvice(error, report.connection) : error
    }
  }

  const readFreshness = async (id: number, user: Caller) => {
    const report = await findReport(id)
    // A viewer asks while the report is on the screen, also for a paginated one, without a dataset.
    await capacityGate.noteUse(report.connection.id)
    return withDataset(report, user, async (dataset) => {
      const refreshes = await refreshHistories.read(dataset, viewersAgeMs)
      return freshnessOf(refreshes, dataset.connection, now())
    })
  }

  serve(
    app,
    dataFreshnessApi.get,
    async ({ params: { id } }, { user, request }) => {
      const [podeAtualizar, comentariosAbertos] = await Promise.all([
        mayRefresh(db, user, id),
        countOpenThreads(db, id),
      ])
      try {
        return { ...(await readFreshness(id, user)), podeAtualizar, comentariosAbertos }
      } catch (err) {
        if (!(err instanceof Problem)) throw err
        // The viewer shows a report without its data time, too.
        request.log.info({ err }, 'the data time of a report is not known')
        return { ...unknownFreshness, comentariosAbertos }
      }
    },
    { authorize: createViewCheck(db) },
  )

  serve(
    app,
    dataFreshnessApi.start,
    async ({ params: { id } }, { user, write }) => {
      await assertProduction(db)
      const report = await findReport(id)
      await write.exclusive(async (tx, audit) => {
        await assertMayRefresh(tx, id, user)
        await assertFewRequests(tx, user.idUsuario, now())
        await beginRefresh(tx, report.connection.id)
        // Before the call: a provider that does not answer may still refresh the data.
        await audit('data.refresh-requested', `relatorio:${id}`)
      })
      await withDataset(report, user, async (dataset) => {
        try {
          await powerBi.startRefresh(dataset.connection, dataset.groupId, dataset.datasetId)
        } finally {
          // Also after a failure: a refresh may have started without an answer, or already run.
          refreshHistories.noteStart(dataset)
          await expectRefreshes(db, dataset.connection.id, [dataset.datasetId])
        }
      })
    },
    { authorize: ({ id }, user) => assertMayRefresh(db, id, user) },
  )

  serve(app, dataFreshnessApi.refreshes, async ({ params: { id } }, { user }) =>
    withDataset(await findReport(id), user, async (dataset) => {
      const refreshes = await refreshHistories.read(dataset, adminsAgeMs)
      return refreshes.map((refresh) => describeRefresh(refresh, dataset.connection))
    }),
  )

  serve(app, dataFreshnessApi.schedule, async ({ params: { id } }, { user }) =>
    withDataset(await findReport(id), user, async ({ connection, groupId, datasetId }) =>
      describeSchedule(await powerBi.getRefreshSchedule(connection, groupId, datasetId)),
    ),
  )

  serve(app, dataFreshnessApi.refreshers, async ({ params: { id } }) => {
    await findReport(id)
    return listRefreshers(db, id)
  })

  const change =
    (pode: boolean, store: typeof insertRefresher) =>
    (
      { params: { id, idUsuario } }: { params: { id: number; idUsuario: number } },
      { write }: { write: Write },
    ) =>
      write(async (tx, audit) => {
        const isThere = (await lockRow(tx, userEntity, idUsuario)) && (await lockRow(tx, reportEntity, id))
        if (!isThere) throw new Problem('nao_encontrado')
        if (!(await store(tx, { idRelatorio: id, idUsuario }))) return
        await audit('data.refreshers-changed', `relatorio:${id}`, { idUsuario, pode })
      })
  serve(app, dataFreshnessApi.allow, change(true, insertRefresher))
  serve(app, dataFreshnessApi.disallow, change(false, deleteRefresher))
}

/** @throws Problem 403 when the user may view the report, but not refresh its data */
const assertMayRefresh = async (db: Db, id: number, user: Caller): Promise<void> => {
  await createViewCheck(db)({ id }, user)
  if (!(await mayRefresh(db, user, id))) throw new Problem('sem_permissao')
}
