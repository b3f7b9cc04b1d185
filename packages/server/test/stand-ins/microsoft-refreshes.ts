import type { Kind, SeenRequest } from './provider-requests.ts'
import type { ScriptedAnswer } from './provider-stand-in.ts'

/*
 * The refreshes of a dataset, as Microsoft answers them: rest/api/power-bi/datasets/
 * refresh-dataset-in-group and get-refresh-history-in-group, both of learn.microsoft.com.
 */

/** `Unknown` without an end is in progress. */
type Status = 'Unknown' | 'Completed' | 'Failed' | 'Disabled' | 'Cancelled'

interface SimulatedRefresh {
  requestId: string
  refreshType: string
  status: Status
  startTime: string
  endTime?: string
  serviceExceptionJson?: string
}

/** Changes of the object take effect with the next call. */
export interface SimulatedRefreshes {
  /** Newest first. */
  history: SimulatedRefresh[]
  /** Days and times at which Microsoft refreshes the dataset by itself; default: it does not. */
  schedule?: { days: string[]; times: string[] }
}

/** What a shared capacity accepts within 24 hours, however a refresh was started. */
const sharedDailyLimit = 8

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const ago = (minutes: number) => new Date(Date.now() - minutes * minuteMs).toISOString()

/** Returns an entry that ended this many minutes ago. `fields` replace its own. */
export const refreshThatEnded = (
  endedAgo: number,
  status: Exclude<Status, 'Unknown'>,
  { took = 5, code, ...fields }: { took?: number; code?: string } & Partial<SimulatedRefresh> = {},
): SimulatedRefresh => ({
  requestId: crypto.randomUUID(),
  refreshType: 'Scheduled',
  status,
  startTime: ago(endedAgo + took),
  endTime: ago(endedAgo),
  ...(code ? { serviceExceptionJson: exceptionOf(code) } : {}),
  ...fields,
})

export const refreshInProgress = (): SimulatedRefresh => ({
  requestId: crypto.randomUUID(),
  refreshType: 'ViaApi',
  status: 'Unknown',
  startTime: ago(0),
})

/** Ends the refresh in progress. @param code the error code of a failure */
export const endRefresh = ({ history: [newest] }: SimulatedRefreshes, code?: string): void => {
  if (newest?.status !== 'Unknown') throw new Error('no refresh is in progress')
  newest.status = code ? 'Failed' : 'Completed'
  newest.endTime = ago(0)
  if (code) newest.serviceExceptionJson = exceptionOf(code)
}

/** Microsoft's description can repeat values of the data. */
const exceptionOf = (errorCode: string) =>
  JSON.stringify({ errorCode, errorDescription: 'The key "Ana Souza" matches more than one row.' })

/** Datasets without imported tables: DirectQuery, live connections, push datasets. */
const notImported: ScriptedAnswer = {
  status: 415,
  body: {
    error: {
      code: 'InvalidRequest',
      message: 'Invalid dataset. This API can only be called on a Model-based dataset',
    },
  },
}

const refusal = (status: number, code: string, reason: string): ScriptedAnswer => ({
  status,
  body: { error: { code, message: `Invalid dataset refresh request. ${reason}` } },
})

type RefreshKind = Extract<Kind, 'refreshes' | 'startRefresh' | 'refreshSchedule'>

export const answerAboutRefreshes = (
  kind: RefreshKind,
  request: SeenRequest,
  refreshes: SimulatedRefreshes | 'not imported' = { history: [] },
): ScriptedAnswer => (refreshes === 'not imported' ? notImported : answers[kind](refreshes, request))

const answers: Record<RefreshKind, (refreshes: SimulatedRefreshes, request: SeenRequest) => ScriptedAnswer> =
  {
    refreshes: ({ history }, { path }) => {
      const top = Number(new URL(path, 'http://microsoft').searchParams.get('$top') ?? 60)
      return { body: { value: history.slice(0, top).map(withAttempts) } }
    },
    startRefresh: ({ history }, { body }) => {
      // Any other field asks for an enhanced refresh, which needs a capacity.
      if (Object.keys(JSON.parse(body)).join() !== 'notifyOption')
        return refusal(400, 'InvalidRequest', 'Enhanced refresh is not supported on a shared capacity')
      if (history[0]?.status === 'Unknown')
        return refusal(400, 'InvalidRequest', 'Another refresh request is already executing')
      const ofTheDay = history.filter(({ startTime }) => Date.parse(startTime) > Date.now() - dayMs)
      if (ofTheDay.length >= sharedDailyLimit)
        return refusal(429, 'Request Throttled', 'Number of refresh requests in last 24 hours exceeded limit')
      const started = refreshInProgress()
      history.unshift(started)
      return { status: 202, headers: { 'x-ms-request-id': started.requestId }, body: '' }
    },
    refreshSchedule: ({ schedule }) => ({
      body: {
        days: schedule?.days ?? [],
        times: schedule?.times ?? [],
        enabled: schedule !== undefined,
        localTimeZoneId: 'E. South America Standard Time',
        notifyOption: 'NoNotification',
      },
    }),
  }

/** Microsoft repeats the reason of a failure in each attempt. */
const withAttempts = (refresh: SimulatedRefresh) => {
  const { startTime, endTime, serviceExceptionJson } = refresh
  const attempt = { attemptId: 1, type: 'Data', startTime, endTime, serviceExceptionJson }
  return { ...refresh, refreshAttempts: [attempt] }
}
