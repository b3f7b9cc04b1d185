import { can, type Permission } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { Navigate, Outlet, useLocation } from 'react-router'
import { SigningOut, useSignOut } from '../accounts/index.ts'
import { SignInPage } from '../accounts/sign-in/sign-in-page.tsx'
import { currentUserQuery } from '../lib/api/queries.ts'
import { safeDestination, type UnknownAddressState } from '../lib/navigation/destination.ts'
import { allowedByRole } from '../lib/session/allowed-by-role.ts'
import { useSession } from '../lib/session/session.ts'
import { ListFailure } from '../ui/data-table/list-failure.tsx'
import { ForbiddenPage } from './errors/forbidden-page.tsx'

/** Redirects a person without a valid token to the root and remembers the requested page. */
export const SignedInOnly = () => {
  const session = useSession()
  const leaving = useSignOut()
  const { pathname, search, hash } = useLocation()
  if (leaving) return <SigningOut leaving={leaving} />
  const first = session?.pendencia && firstPages[session.pendencia]
  // The server refuses everything else first, except after an administrator set the password.
  if (first && pathname !== first)
    return <Navigate to={first} replace state={{ destino: pathname + search + hash }} />
  if (session) return <Outlet />
  return <Navigate to="/" replace state={{ destino: pathname + search + hash }} />
}

const firstPages = {
  segundo_fator: '/segundo-fator',
  senha_provisoria: '/mudar-senha',
  trocar_senha: '/mudar-senha',
} as const

/** Leads to the root, which says what happened. */
export const UnknownAddress = () => (
  <Navigate to="/" replace state={{ inexistente: useLocation().pathname } satisfies UnknownAddressState} />
)

type RootState = Partial<Record<'destino' | 'usuario', unknown>> & Partial<UnknownAddressState>

/** The root: the sign-in page, or a redirect to the requested page if signed in. */
export const SignedOutOnly = () => {
  const session = useSession()
  const { state } = useLocation() as { state: RootState | null }
  const destination = safeDestination(state?.destino)
  const inexistente = state?.inexistente
  if (session) return <Navigate to={destination} replace state={inexistente ? { inexistente } : null} />
  const username = typeof state?.usuario === 'string' ? state.usuario : undefined
  return <SignInPage destination={destination} username={username} isUnknown={inexistente !== undefined} />
}

interface PermissionOnlyProps {
  /** The permission of the page's calls. */
  permission: Permission
}

/** The server refuses the data anyway; this avoids a page full of errors. */
export const PermissionOnly = ({ permission }: PermissionOnlyProps) => {
  const isAllowed = allowedByRole(useSession()?.tipo, permission)
  if (isAllowed === undefined) return <FlagOnly permission={permission} />
  return isAllowed ? <Outlet /> : <ForbiddenPage />
}

/** Guards pages that a flag of the user opens. */
const FlagOnly = ({ permission }: PermissionOnlyProps) => {
  const { data: user, error, isFetching, refetch } = useQuery(currentUserQuery)
  if (user)
    return can({ ...user, tipo: user.tipoUsuario }, permission) ? (
      <Outlet />
    ) : (
      <ForbiddenPage to={flagHolders[permission]} />
    )
  return error ? <ListFailure error={error} isFetching={isFetching} onRetry={() => void refetch()} /> : null
}

/** Who may open a page that a flag of the user opens. */
const flagHolders: Partial<Record<Permission, string>> = {
  'records:access': 'quem tem acesso a prontuários',
  'data-protection:manage': 'o encarregado de dados com acesso a prontuários',
}
