import type { GaugeValue, Reading } from '@bi-manager/telemetry/metrics'
import type { Services } from '../http/services.ts'

const backup = 'bimanager_backup_last_success_timestamp_seconds'
const expiry = 'bimanager_expiry_timestamp_seconds'

/** What expires: the earliest of each kind, so that the label does not grow with the connections. */
export type ExpiryKind = 'tls_certificate' | 'connection_secret' | 'encryption_key'

interface Operations {
  lastBackup?: Date | undefined
  expiries?: Partial<Record<ExpiryKind, Date>>
}

/** Dates that an operator must act on. A date that is not known has no value. */
export const readOperations = (
  _services: Services,
  find: () => Promise<Operations> = async () => ({}),
): Reading => ({
  source: 'operations',
  gauges: [
    { name: backup, help: 'When the last backup succeeded.' },
    {
      name: expiry,
      help: 'When the first certificate or secret of a kind expires.',
      labelNames: ['kind'],
    },
  ],
  read: async (): Promise<Record<string, GaugeValue>> => {
    const { lastBackup, expiries = {} } = await find()
    return {
      [backup]: lastBackup && secondsOf(lastBackup),
      [expiry]: Object.entries(expiries).map(([kind, at]) => ({ labels: { kind }, value: secondsOf(at) })),
    }
  },
})

const secondsOf = (at: Date): number => at.getTime() / 1000
