import { timeText } from '../../platform/lib/local-time.ts'
import { Problem } from '../../platform/lib/problem.ts'
import type { Connection } from '../power-bi/connection.ts'
import type { PowerBiApi } from '../power-bi/power-bi-api.ts'
import { adviceFor } from '../power-bi/provider-advice.ts'

interface Needs {
  powerBi: Pick<PowerBiApi, 'listGroups' | 'listDatasets' | 'listRefreshes'>
  now: () => Date
}

/** A connection, and its registered workspaces that are on the capacity. */
export interface GuardedConnection {
  connection: Connection
  workspaces: { groupId: string; name: string }[]
}

/** Datasets read before a pause; each costs a call. */
const datasetsAtMost = 500

/** Calls at a time. */
const MAX_CONCURRENT = 8

/** Milliseconds. An older entry without an end is not a refresh in progress. */
const longestRefreshMs = 24 * 3_600_000

/**
 * Checks that no dataset is being refreshed in the workspaces that the connections can see on a
 * capacity: a pause would make the refresh fail.
 * @throws Problem `capacidade_atualizando` when one is, `capacidade_atualizacoes_desconhecidas` when
 * it cannot be known
 */
export const assertNoRefresh = async (needs: Needs, connections: GuardedConnection[]): Promise<void> => {
  let read = 0
  for (const { connection, workspaces } of connections) {
    const groups = await known(connection, 'os workspaces', () => needs.powerBi.listGroups(connection))
    const visible = new Set(groups.map(({ id }) => id.toLowerCase()))
    const hidden = workspaces.find(({ groupId }) => !visible.has(groupId.toLowerCase()))
    if (hidden)
      throw unknown(`A conexão não vê o workspace “${hidden.name}”. Dê acesso a ela, ou exclua o workspace.`)
    for (const group of groups.filter(({ isOnDedicatedCapacity }) => isOnDedicatedCapacity !== false)) {
      const datasets = await known(connection, `os conjuntos de dados de “${group.name}”`, () =>
        needs.powerBi.listDatasets(connection, group.id),
      )
      const refreshable = datasets.filter(({ isRefreshable }) => isRefreshable !== false)
      read += refreshable.length
      if (read > datasetsAtMost) throw unknown(`Há mais de ${datasetsAtMost} conjuntos de dados.`)
      for (let start = 0; start < refreshable.length; start += MAX_CONCURRENT)
        await Promise.all(
          refreshable
            .slice(start, start + MAX_CONCURRENT)
            .map((dataset) => assertNotRefreshing(needs, connection, group, dataset)),
        )
    }
  }
}

interface Named {
  id: string
  name: string
}

const assertNotRefreshing = async (
  { powerBi, now }: Needs,
  connection: Connection,
  group: Named,
  dataset: Named,
): Promise<void> => {
  const refreshes = await known(connection, `as atualizações de “${dataset.name}” em “${group.name}”`, () =>
    powerBi.listRefreshes(connection, group.id, dataset.id),
  )
  const running = refreshes.find(
    ({ state, startedAt }) =>
      state === 'running' && now().getTime() - startedAt.getTime() <= longestRefreshMs,
  )
  if (!running) return
  throw new Problem('capacidade_atualizando', {
    detail: `Uma atualização de “${dataset.name}”, do workspace “${group.name}”, está em andamento desde as ${timeText(running.startedAt)}, e pausar agora a faria falhar.`,
  })
}

/** @throws Problem `capacidade_atualizacoes_desconhecidas` with the cause, when the call fails */
const known = async <T>(connection: Connection, what: string, read: () => Promise<T>): Promise<T> => {
  try {
    return await read()
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    throw unknown(
      `${what.charAt(0).toUpperCase()}${what.slice(1)} não puderam ser lidos. ${adviceFor(error, connection)}`,
      error,
    )
  }
}

const unknown = (why: string, cause?: unknown): Problem =>
  new Problem('capacidade_atualizacoes_desconhecidas', {
    detail: `O portal não conseguiu ver se uma atualização de dados está em andamento, e não pausou. ${why}`,
    cause,
  })
