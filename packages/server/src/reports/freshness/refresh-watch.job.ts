import type { FastifyBaseLogger } from 'fastify'
import {
  type ConnectionServices,
  type DatasetRefresh,
  dataTimeOf,
  refreshCause,
  registeredConnection,
} from '../../connections/index.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { momentText } from '../../platform/lib/local-time.ts'
import { notify, takeBack } from '../../platform/notifications/notify.ts'
import { EXPECTED, expectRefreshes } from './refreshed-reports.ts'
import {
  claimLookUp,
  claimReading,
  listDatasetsToRead,
  listReportsToLookUp,
  lockNotifiedUpTo,
  storeCompleted,
  storeDataset,
  storeNotifiedUpTo,
} from './watched-datasets.ts'

type Needs = Pick<ConnectionServices, 'config' | 'db' | 'secrets' | 'powerBi' | 'refreshHistories' | 'now'>
type Log = Pick<FastifyBaseLogger, 'error' | 'info'>

const minute = 60_000

/** Calls per run, so that many datasets are spread over the interval. */
const callsPerRun = 20

/** Each dataset is read this often, or less often when there are many. */
const readEvery = 15 * minute

/** Milliseconds. An older refresh without an end is not taken for one in progress. */
const runsAtMost = 6 * 60 * minute

/** Older failures are not notified: after days without the portal, only the latest ones matter. */
const notifiedFor = 24 * 60 * minute

/** Notifies the administrators of failed refreshes, and notes completed ones, in the background. */
export const startRefreshWatch = (services: Needs, log: Log): { stop: () => Promise<void> } =>
  startRepeating({ name: 'watch of refreshes', everyMs: minute, log }, (stopped) =>
    watchRefreshes(services, log, stopped),
  )

/** Looks up the datasets of reports, and reads the refreshes of the datasets that are due. */
export const watchRefreshes = async (services: Needs, log: Log, stopped?: AbortSignal): Promise<void> => {
  const { db } = services
  for (const report of await listReportsToLookUp(db, callsPerRun)) {
    if (stopped?.aborted) return
    if (await claimLookUp(db, report)) await lookUp(services, report, log)
  }
  for (const dataset of await listDatasetsToRead(db, readEvery, callsPerRun)) {
    if (stopped?.aborted) return
    if (await claim(services, dataset)) await readRefreshes(services, dataset, log)
  }
}

type FoundReport = Awaited<ReturnType<typeof listReportsToLookUp>>[number]

const lookUp = async (services: Needs, report: FoundReport, log: Log): Promise<void> => {
  const { db, powerBi } = services
  const { idRelatorio, reportId, idGrupo } = report
  try {
    const connection = registeredConnection(report, services)
    const { dataset } = await powerBi.getReport(connection, idGrupo, reportId)
    await storeDataset(db, report, dataset)
  } catch (err) {
    log.info({ err, idRelatorio }, 'the dataset of a report could not be looked up')
  }
}

type WatchedDataset = Awaited<ReturnType<typeof listDatasetsToRead>>[number]

const readingOf = ({ idPowerBi, idConjunto }: WatchedDataset) => ({ idPowerBi, idConjunto: idConjunto ?? '' })

const claim = ({ db, now }: Needs, dataset: WatchedDataset): Promise<boolean> =>
  claimReading(db, readingOf(dataset), {
    ms: readEvery,
    notifiedUpTo: new Date(now().getTime() - readEvery),
  })

const readRefreshes = async (services: Needs, dataset: WatchedDataset, log: Log): Promise<void> => {
  const { refreshHistories } = services
  const { idGrupo, idGrupoConjunto, idRelatorio } = dataset
  try {
    const refreshes = await refreshHistories.read(
      {
        connection: registeredConnection(dataset, services),
        groupId: idGrupoConjunto ?? idGrupo,
        datasetId: readingOf(dataset).idConjunto,
      },
      // What another node or reader has just read may be older than the expected refresh.
      dataset.lidaEm?.getTime() === EXPECTED.getTime() ? 0 : minute,
    )
    const completed = dataTimeOf(refreshes)
    if (completed) await storeCompleted(services.db, readingOf(dataset), completed)
    const { idPowerBi, idConjunto } = readingOf(dataset)
    if (isInProgress(refreshes[0], services.now()))
      await expectRefreshes(services.db, idPowerBi, [idConjunto])
    await notifyFailures(services, dataset, refreshes)
  } catch (err) {
    // Datasets without import have no history; a failing connection is notified by embedding.
    log.info({ err, idRelatorio }, 'the refreshes of a dataset could not be read')
  }
}

const isInProgress = (newest: DatasetRefresh | undefined, now: Date): boolean =>
  newest?.state === 'running' && now.getTime() - newest.startedAt.getTime() < runsAtMost

const endOf = ({ endedAt, startedAt }: DatasetRefresh): number => (endedAt ?? startedAt).getTime()

/**
 * Inserts a notification for each failure that ended after those already notified. Marks them all
 * as read when a later refresh completed.
 */
const notifyFailures = async (
  { db, now }: Needs,
  dataset: WatchedDataset,
  refreshes: DatasetRefresh[],
): Promise<void> => {
  const ended = refreshes.filter(({ state }) => state === 'failed' || state === 'completed')
  const [newest] = ended
  if (!newest) return
  await inTransaction(db, async (tx) => {
    const notifiedUpTo = await lockNotifiedUpTo(tx, readingOf(dataset))
    if (!notifiedUpTo) return
    const since = Math.max(notifiedUpTo.getTime(), now().getTime() - notifiedFor)
    const newFailures = ended
      .filter((refresh) => refresh.state === 'failed' && endOf(refresh) > since)
      .toSorted((one, other) => endOf(one) - endOf(other))
    for (const refresh of newFailures) await notifyFailure(tx, dataset, refresh, now())
    const last = newFailures.at(-1)
    if (last) await storeNotifiedUpTo(tx, readingOf(dataset), new Date(endOf(last)))
    if (newest.state === 'completed') await takeBack(tx, subjectOf(dataset))
  })
}

/** The subjects of a dataset's failures are below it. */
const subjectOf = ({ idPowerBi, idConjunto }: WatchedDataset) => `atualizacao:${idPowerBi}:${idConjunto}`

const notifyFailure = (
  tx: Parameters<typeof notify>[0],
  dataset: WatchedDataset,
  refresh: DatasetRefresh,
  now: Date,
): Promise<void> => {
  const { idRelatorio, nomeRelatorio, relatorios, provedor } = dataset
  const { causa, codigo } = refreshCause(refresh.exception, { provider: provedor })
  const ended = new Date(endOf(refresh))
  const others = relatorios === 1 ? '' : ` e de mais ${relatorios - 1}`
  const bell = {
    titulo: `Falhou a atualização dos dados de “${nomeRelatorio}”${others}`,
    texto: `Terminou em ${momentText(ended)}. ${causa}${codigo ? ` (Código: ${codigo}.)` : ''}`,
    rota: `/RegisterworkspaceRelatorios/${idRelatorio}`,
  }
  const subject = `${subjectOf(dataset)}:${ended.toISOString()}`
  // Not a new kind: during an upgrade, the previous version reads it, too.
  return notify(tx, { audience: 'administradores', kind: 'sistema_com_problema', subject, bell }, now)
}
