export const HOME = '/saidibi'

/** History state of the page shown instead of an address that does not exist. */
export interface UnknownAddressState {
  /** Its path. */
  inexistente: string
}

/**
 * Returns where to go after sign-in: the page first requested if it is
 * a path of this site, otherwise the home page. Refuses what a browser
 * could read as another origin (`//host`, `/\host`, `/<tab>/host`).
 */
export const safeDestination = (wanted: unknown): string => {
  if (typeof wanted !== 'string' || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted)) return HOME
  const { origin, pathname } = new URL(wanted, window.location.origin)
  return origin === window.location.origin && pathname !== '/' ? wanted : HOME
}
