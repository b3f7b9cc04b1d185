import { cacheLookups } from '@bi-manager/telemetry/events'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import type { Connection } from './connection.ts'
import type { DatasetRefresh } from './dataset-refresh.ts'
import type { DatasetAddress, PowerBiApi } from './power-bi-api.ts'

/** A dataset at the provider. */
export interface DatasetPlace extends DatasetAddress {
  connection: Connection
}

export type RefreshHistories = ReturnType<typeof createRefreshHistories>

const cacheLimit = 5_000

/** Milliseconds. A running refresh ends soon, so its history is read again after this time. */
const runningMs = 5_000

/** Milliseconds in which a refresh that was asked for appears in the history. */
const startingMs = 120_000

/** Reads refresh histories, and remembers the last answer or failure of each dataset. */
export const createRefreshHistories = ({
  api,
  now,
}: {
  api: Pick<PowerBiApi, 'listRefreshes'>
  now: () => Date
}) => {
  const known = createBoundedCache<{ at: number; isRunning: boolean; value: Promise<DatasetRefresh[]> }>(
    cacheLimit,
  )
  const startedAt = createBoundedCache<number>(cacheLimit)

  return {
    /**
     * Returns the history, newest first.
     * @param maxAgeMs the age up to which a remembered answer is used, and a remembered failure
     */
    read: (dataset: DatasetPlace, maxAgeMs: number): Promise<DatasetRefresh[]> => {
      const key = keyOf(dataset)
      const hit = known.get(key)
      const age = now().getTime() - (hit?.at ?? 0)
      const isChanging = hit?.isRunning || now().getTime() - (startedAt.get(key) ?? 0) < startingMs
      const isHit = hit !== undefined && age < (isChanging ? Math.min(runningMs, maxAgeMs) : maxAgeMs)
      cacheLookups.publish({ cache: 'refresh_history', isHit })
      if (isHit) return hit.value
      const { connection, groupId, datasetId } = dataset
      const value = api.listRefreshes(connection, groupId, datasetId)
      const entry = { at: now().getTime(), isRunning: false, value }
      known.set(key, entry)
      value.then(
        ([newest]) => {
          entry.isRunning = newest?.state === 'running'
        },
        () => {},
      )
      return value
    },
    /** Notes that a refresh may have started: the remembered history is out of date. */
    noteStart: (dataset: DatasetPlace): void => {
      const key = keyOf(dataset)
      known.delete(key)
      startedAt.set(key, now().getTime())
    },
  }
}

const keyOf = ({ connection, groupId, datasetId }: DatasetPlace): string =>
  `${connection.id}.${connection.version}/${groupId.toLowerCase()}/${datasetId.toLowerCase()}`
