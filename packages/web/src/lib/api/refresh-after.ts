import type { QueryClient } from '@tanstack/react-query'
import { MENU_KEY } from '../navigation/menu.ts'

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
