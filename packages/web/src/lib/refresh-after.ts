import type { QueryClient } from '@tanstack/react-query'
import { MENU_KEY } from './menu.ts'

/** First parts of the cache's keys under which something of the changed record is shown: its name, a count, a right. */
const shownUnder = {
  connection: ['powerbis', 'workspaces'],
  workspace: ['workspaces', 'relatorios', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  report: ['relatorios', 'workspaces', 'powerbis', 'perfis', 'permissoes', 'acesso', MENU_KEY, 'paginas'],
  user: ['usuarios', 'powerbis', 'perfis', 'permissoes', 'acesso'],
}

/** Records of this kind were registered, changed or removed: whatever shows them is read anew, at once or when next wanted. */
export const refreshAfter = (client: QueryClient, changed: keyof typeof shownUnder): void => {
  for (const key of shownUnder[changed]) void client.invalidateQueries({ queryKey: [key] })
}
