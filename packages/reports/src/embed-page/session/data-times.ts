import type { DataApi } from './data-api.ts'

/** Wraps the calls, and remembers of each report when its data was refreshed. */
export const withDataTimes = (given: DataApi) => {
  const times = new Map<string, string>()
  const api: DataApi = {
    ...given,
    async pageData(id, ...more) {
      const answer = await given.pageData(id, ...more)
      if (answer.dataTime) times.set(id, answer.dataTime)
      return answer
    },
  }
  return { api, dataTimeOf: (id: string): string | undefined => times.get(id) }
}
