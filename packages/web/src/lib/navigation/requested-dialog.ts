import { useEffect } from 'react'
import { useLocation, useNavigate } from 'react-router'

/** Addresses that open a dialog of a page. */
export const dialogAddresses = {
  invite: '/usuario#convidar',
  importUsers: '/usuario#importar',
  importWorkspaces: '/workspace#importar',
} as const

/** Calls `open` with the dialog that the address names, and takes the name out of the address. */
export const useRequestedDialog = (open: (address: string) => void): void => {
  const { pathname, search, hash } = useLocation()
  const navigate = useNavigate()
  // biome-ignore lint/correctness/useExhaustiveDependencies: once per request
  useEffect(() => {
    if (!hash) return
    open(pathname + hash)
    void navigate(pathname + search, { replace: true })
  }, [pathname, hash])
}
