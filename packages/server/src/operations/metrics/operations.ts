import type { GaugeValue, Reading } from '@bi-manager/telemetry/metrics'
import type { Services } from '../../platform/http/services.ts'
import { readBackups } from '../system-status/backup-item.ts'
import { createExpiryDates, type Expiry } from '../system-status/expiry-dates.ts'

const backup = 'bimanager_backup_last_success_timestamp_seconds'
const backupProblem = 'bimanager_backup_problem'
const expiry = 'bimanager_expiry_timestamp_seconds'

/** Returns the reading of dates that an operator must act on. An unknown date has no value. */
export const readOperations = (services: Services): Reading => {
  const { certificates, secrets } = createExpiryDates(services)
  return {
    source: 'operations',
    // The last backup is read from the audit trail, certificates from their servers.
    everyMs: 300_000,
    withinMs: 5_000,
    gauges: [
      { name: backup, help: 'When the last backup succeeded.' },
      {
        name: backupProblem,
        help: 'Whether the last backup failed, and whether one is overdue (1 or 0).',
        labelNames: ['kind'],
      },
      {
        name: expiry,
        help: 'When a certificate expires, and the first secret of a kind.',
        labelNames: ['kind', 'source'],
      },
    ],
    read: async (): Promise<Record<string, GaugeValue>> => {
      const { newest, problems = {} } = await readBackups(services)
      const known = [...(await certificates()), ...(await secrets())]
      return {
        [backup]: newest && secondsOf(newest),
        [backupProblem]: Object.entries(problems).map(([kind, is]) => ({
          labels: { kind },
          value: Number(is),
        })),
        [expiry]: firstOfEach(known),
      }
    },
  }
}

/** One date per source: all connections count as one, so that labels do not multiply. */
const firstOfEach = (expiries: Expiry[]): Exclude<GaugeValue, number | undefined> => {
  const first = new Map<string, { kind: string; source: string; value: number }>()
  for (const { kind, source: place, expiresAt } of expiries) {
    const source = place.split(':')[0] ?? ''
    const earlier = first.get(source)?.value ?? Number.POSITIVE_INFINITY
    const value = expiresAt && secondsOf(expiresAt)
    if (value !== undefined && value < earlier) first.set(source, { kind, source, value })
  }
  return [...first.values()].map(({ kind, source, value }) => ({ labels: { kind, source }, value }))
}

const secondsOf = (at: Date): number => at.getTime() / 1000
