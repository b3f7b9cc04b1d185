import { type CurrentUser, type Entity, entities, type Permission } from '@bi-manager/contract'
import { helpAddress } from '../../lib/navigation/help.ts'
import { dialogAddresses } from '../../lib/navigation/requested-dialog.ts'
import { allowedByRole } from '../../lib/session/allowed-by-role.ts'
import { matchesSearch } from '../../lib/text/search-text.ts'

/** What an action does that has no address. */
export type Act = 'theme' | 'shortcuts' | 'signOut'

/** `to` is an address or an act; `words` are further words that find it. */
interface Action {
  label: string
  to: string
  words: string
}

interface ActionContext {
  user: CurrentUser | undefined
  pathname: string
  /** People sign in with passwords, so they can be invited. */
  invites: boolean
}

const described: readonly Entity[] = entities

interface AdminAction extends Action {
  /** Required to open its page. */
  permission: Permission
}

const adminActions: AdminAction[] = [
  ...described.flatMap(({ title, pages, menu, permission }) =>
    pages && menu
      ? [{ label: `Cadastrar ${title}`, to: pages.form, words: 'criar adicionar novo nova', permission }]
      : [],
  ),
  {
    label: 'Publicar relatório',
    to: '/publicar',
    words: 'planilha csv excel parquet enviar',
    permission: 'reports:manage',
  },
  {
    label: 'Importar usuários',
    to: dialogAddresses.importUsers,
    words: 'pessoas csv lista',
    permission: 'users:manage',
  },
  {
    label: 'Importar workspaces',
    to: dialogAddresses.importWorkspaces,
    words: 'grupos relatórios',
    permission: 'workspaces:manage',
  },
]

const invitation: AdminAction = {
  label: 'Convidar pessoa',
  to: dialogAddresses.invite,
  words: 'usuário convite e-mail nova novo',
  permission: 'users:manage',
}

/** Returns whether the page at this address is found as an action. */
export const isActionPage = (to: string): boolean => adminActions.some((action) => action.to === to)

const actionsOf = ({ user, pathname, invites }: ActionContext): Action[] => [
  ...[...(invites ? [invitation] : []), ...adminActions].filter(({ permission }) =>
    allowedByRole(user?.tipoUsuario, permission),
  ),
  { label: 'Ajuda', to: helpAddress(pathname), words: 'manual como' },
  { label: 'Trocar tema', to: 'theme' satisfies Act, words: 'claro escuro modo aparência cores' },
  { label: 'Mostrar os atalhos do teclado', to: 'shortcuts' satisfies Act, words: 'teclas' },
  { label: 'Sair', to: 'signOut' satisfies Act, words: 'deslogar encerrar sessão' },
]

/** Returns the actions that have every word. */
export const findActions = (context: ActionContext, text: string) =>
  actionsOf(context)
    .filter(({ label, words }) => matchesSearch(`${label} ${words}`, text))
    .map(({ label, to }) => ({ label, detail: '', to }))
