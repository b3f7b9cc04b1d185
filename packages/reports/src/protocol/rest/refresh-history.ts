import type { Dataset } from '../../engine/data/catalog.ts'
import { derivedGuid } from './derived-guid.ts'

export type Refresh = {
  requestId: string
  type: 'ViaApi' | 'OnDemand'
  started: string
  ended?: string
  failure?: string
}

/** Entries kept per dataset, as many as Microsoft keeps. */
export const KEPT = 60

export type RefreshHistory = ReturnType<typeof createRefreshHistory>

/**
 * Keeps the refreshes of the datasets, in memory only. The publication of the data, which its files
 * tell, counts as a refresh.
 */
export const createRefreshHistory = (now: () => number) => {
  const histories = new Map<string, Refresh[]>()
  const refreshesOf = ({ id }: Dataset) => histories.get(id) ?? []

  /** Newest first. */
  const of = (dataset: Dataset): Refresh[] =>
    [...refreshesOf(dataset), publicationOf(dataset, now())].toSorted((one, other) =>
      other.started.localeCompare(one.started),
    )
  return {
    of,
    add(dataset: Dataset, entry: Refresh) {
      histories.set(dataset.id, [entry, ...refreshesOf(dataset)].slice(0, KEPT))
    },
    isUnderWay: (dataset: Dataset) => refreshesOf(dataset).some(({ ended }) => !ended),
    /** Returns the time of the data (ISO): the end of the last refresh that succeeded. */
    dataTimeOf: (dataset: Dataset): string => {
      let latest = publishedAt(dataset, now())
      for (const { ended, failure } of refreshesOf(dataset))
        if (ended && !failure && ended > latest) latest = ended
      return latest
    },
  }
}

const publicationOf = (dataset: Dataset, now: number): Refresh => {
  const time = publishedAt(dataset, now)
  const requestId = derivedGuid('publication', dataset.id, time)
  return { requestId, type: 'OnDemand', started: time, ended: time }
}

/** A file can be dated after the present: its clock is another machine's. */
const publishedAt = ({ writtenAt }: Dataset, now: number): string =>
  new Date(Math.min(writtenAt, now)).toISOString()
