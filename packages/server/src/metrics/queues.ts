import { queueGauges, queueValues, type Reading } from '@bi-manager/telemetry/metrics'
import {
  countExports,
  countMails,
  countPendingFiles,
  countUnsealed,
} from '../features/system-status/system-status.repository.ts'
import type { Services } from '../http/services.ts'

/** An export that was asked for earlier never ends. */
const longestExportMs = 3_600_000

/** The queues in the database, which every process reads alike. */
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
