import type { QueryClient } from '@tanstack/react-query'

/** First part of the key of all menu queries, which are invalidated together. */
export const MENU_KEY = 'menus'

/** First key parts of the queries that show a changed record: its name, a count, a permission. */
const shownUnder = {
  connection: ['powerbis', 'workspaces'],
  workspace: ['workspaces', 'relatorios', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  report: ['relatorios', 'workspaces', 'powerbis', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  user: ['usuarios', 'powerbis', 'perfis', 'permissoes', 'acesso'],
}

/** Invalidates the queries that show records of this kind, after one was changed. */
export const refreshAfter = (client: QueryClient, changed: keyof typeof shownUnder): void => {
  for (const key of shownUnder[changed]) void client.invalidateQueries({ queryKey: [key] })
}
