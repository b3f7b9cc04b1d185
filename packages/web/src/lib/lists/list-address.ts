import { currentSession } from '../session/session.ts'

/** The last address of each list in this tab, by its path, and the user who saw it. */
const addresses = new Map<string, { user: number | undefined; address: string }>()

/** Remembers search, order and page of a list. */
export const rememberListAddress = ({ pathname, search }: Pick<Location, 'pathname' | 'search'>): void => {
  addresses.set(pathname, { user: currentSession()?.usuario_id, address: pathname + search })
}

/** Returns the address at which this user saw the list last; its path at first. */
export const listAddress = (path: string): string => {
  const known = addresses.get(path)
  return known && known.user === currentSession()?.usuario_id ? known.address : path
}
