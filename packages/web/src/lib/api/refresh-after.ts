import type { Entity, EntityKind } from '@bi-manager/contract'
import type { QueryClient, QueryKey } from '@tanstack/react-query'
import {
  capacitiesKey,
  connectionsKey,
  grantsKey,
  profilesKey,
  reasonsKey,
  reportsKey,
  workspacesKey,
} from './query-keys.ts'

/** First part of the key of all menu queries, which are invalidated together. */
export const MENU_KEY = 'menus'

/** First key parts of other lists that show an entity's name, count or permission. */
const alsoShownIn: Partial<Record<EntityKind, QueryKey[]>> = {
  powerbi: [workspacesKey, capacitiesKey],
  workspace: [reportsKey, profilesKey, grantsKey, reasonsKey, [MENU_KEY], ['paginas']],
  relatorio: [workspacesKey, connectionsKey, profilesKey, grantsKey, reasonsKey, [MENU_KEY], ['paginas']],
  usuario: [connectionsKey, profilesKey, capacitiesKey, grantsKey, reasonsKey],
}

/** Invalidates the queries that show entities of this kind, after one was changed. */
export const refreshAfter = (
  client: QueryClient,
  { kind, list }: Pick<Entity, 'list'> & { kind: EntityKind },
): void => {
  for (const queryKey of [[list], ...(alsoShownIn[kind] ?? [])]) {
    void client.invalidateQueries({ queryKey })
  }
}
