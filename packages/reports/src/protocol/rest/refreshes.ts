import { randomUUID } from 'node:crypto'
import type { FastifyInstance } from 'fastify'
import { z } from 'zod'
import type { Catalog } from '../../engine/data/catalog.ts'
import { parseBody } from '../../http/parse-body.ts'
import { invalidRequest } from '../../http/power-bi-error.ts'
import { KEPT, type Refresh } from './refresh-history.ts'
import { type InDataset, PLACES, type RestOptions } from './rest-options.ts'
import { findDataset } from './workspaces.ts'

type Options = Pick<RestOptions, 'catalog' | 'refresh' | 'refreshHistory' | 'reportsUrl' | 'now'>
type Listing = InDataset & { Querystring: Record<string, string | undefined> }
/** Wraps `refresh` to count the running refreshes, for the metrics. */
export const createRefreshCount = (refresh: () => Promise<Catalog>, now: () => number) => {
  const running = new Set<{ since: number }>()
  return {
    refresh: async (): Promise<Catalog> => {
      const entry = { since: now() }
      running.add(entry)
      return refresh().finally(() => running.delete(entry))
    },
    queue: (): { length: number; oldestMs: number } => {
      const time = now()
      return {
        length: running.size,
        oldestMs: Math.max(0, ...[...running].map(({ since }) => time - since)),
      }
    },
  }
}

/** Routes of a dataset's refreshes. */
export const refreshRoutes = async (app: FastifyInstance, options: Options) => {
  const { catalog, refresh, refreshHistory, reportsUrl, now } = options
  const instant = () => new Date(now()).toISOString()

  async function run(id: string, entry: Refresh) {
    try {
      const { outdated, datasets } = await refresh()
      if (outdated.has(id) || !datasets.has(id)) entry.failure = 'ModelRefresh_DataSourceError'
    } catch (error) {
      app.log.error({ err: error }, 'a refresh failed')
      entry.failure = 'ModelRefresh_InternalError'
    }
    entry.ended = instant()
  }

  const context = (groupId: string | undefined, entity: string) => ({
    '@odata.context': `${reportsUrl}/v1.0/myorg/${groupId ? `groups/${groupId}/` : ''}$metadata#${entity}`,
  })

  for (const place of PLACES) {
    app.post<InDataset>(`${place}/datasets/:datasetId/refreshes`, async (request, reply) => {
      const { dataset } = findDataset(catalog(), request.params)
      parseBody(DatasetRefreshRequest, request.body)
      if (refreshHistory.isUnderWay(dataset))
        throw invalidRequest('Invalid dataset refresh request. Another refresh request is already executing')
      const entry: Refresh = { requestId: randomUUID(), type: 'ViaApi', started: instant() }
      refreshHistory.add(dataset, entry)
      void run(dataset.id, entry)
      return reply.code(202).header('x-ms-request-id', entry.requestId).send()
    })

    app.get<Listing>(`${place}/datasets/:datasetId/refreshes`, async ({ params, query }) => {
      const { dataset } = findDataset(catalog(), params)
      const top = query.$top ?? String(KEPT)
      if (!/^[1-9]\d{0,5}$/.test(top)) throw invalidRequest('$top must be a whole number of at least 1')
      return {
        ...context(params.groupId, 'refreshes'),
        value: refreshHistory.of(dataset).slice(0, Number(top)).map(describe),
      }
    })

    // This service has no schedule: another program asks it to refresh.
    app.get<InDataset>(`${place}/datasets/:datasetId/refreshSchedule`, async ({ params }) => {
      findDataset(catalog(), params)
      return {
        ...context(params.groupId, 'Microsoft.PowerBI.ServiceContracts.Api.V1.RefreshSchedule'),
        days: [],
        times: [],
        enabled: false,
        localTimeZoneId: 'UTC',
        notifyOption: 'NoNotification',
      }
    })
  }
}

const describe = ({ requestId, type, started, ended, failure }: Refresh) => {
  // The details contain file names and positions: they are only logged, for the operator.
  const exception = failure && { serviceExceptionJson: JSON.stringify({ errorCode: failure }) }
  const times = { startTime: started, ...(ended && { endTime: ended }) }
  return {
    requestId,
    refreshType: type,
    ...times,
    status: !ended ? 'Unknown' : failure ? 'Failed' : 'Completed',
    ...exception,
    refreshAttempts: [{ attemptId: 1, ...times, ...exception, type: 'Data' }],
  }
}

/** The options are accepted but have no effect: a refresh reads all changed files, or none. */
const DatasetRefreshRequest = z.object({
  notifyOption: z.enum(['NoNotification', 'MailOnFailure', 'MailOnCompletion']).nullish(),
  type: z.enum(['Full', 'ClearValues', 'Calculate', 'DataOnly', 'Automatic', 'Defragment']).nullish(),
  commitMode: z.enum(['Transactional', 'PartialBatch']).nullish(),
})
