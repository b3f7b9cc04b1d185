import type { Entity, EntityKind } from '@bi-manager/contract'
import type { QueryClient } from '@tanstack/react-query'

/** First part of the key of all menu queries, which are invalidated together. */
export const MENU_KEY = 'menus'

/** First key parts of other lists that show a record's name, count or permission. */
const alsoShownIn: Partial<Record<EntityKind, string[]>> = {
  powerbi: ['workspaces'],
  workspace: ['relatorios', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  relatorio: ['workspaces', 'powerbis', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  usuario: ['powerbis', 'perfis', 'permissoes', 'acesso'],
}

/** Invalidates the queries that show records of this kind, after one was changed. */
export const refreshAfter = (
  client: QueryClient,
  { kind, list }: Pick<Entity, 'list'> & { kind: EntityKind },
): void => {
  for (const key of [list, ...(alsoShownIn[kind] ?? [])]) {
    void client.invalidateQueries({ queryKey: [key] })
  }
}
