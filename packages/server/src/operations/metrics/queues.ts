import { queueGauges, queueValues, type Reading } from '@bi-manager/telemetry/metrics'
import type { Services } from '../../platform/http/services.ts'
import {
  countExports,
  countMails,
  countPendingFiles,
  countUnsealed,
} from '../system-status/system-status.repository.ts'

/** Milliseconds; an export older than this is no longer in progress. */
const longestExportMs = 3_600_000

/** Returns the reading of the queues in the database, equal in every process. */
export const readQueues = ({ db, now }: Pick<Services, 'db' | 'now'>): Reading => ({
  source: 'queues',
  gauges: queueGauges,
  read: async () => {
    const time = now().getTime()
    const [mail, exports, audit, files] = await Promise.all([
      countMails(db),
      countExports(db, new Date(time - longestExportMs)),
      countUnsealed(db),
      countPendingFiles(db),
    ])
    const queues = Object.entries({ mail, exports, audit, files }).map(
      ([queue, { aguardando, maisAntigaEm }]) => ({
        queue,
        length: Number(aguardando),
        oldestSeconds: maisAntigaEm ? (time - maisAntigaEm.getTime()) / 1000 : 0,
      }),
    )
    return queueValues(queues)
  },
})
