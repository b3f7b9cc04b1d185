export const HOME = '/saidibi'

/**
 * Where to go after signing in: the page first asked for, when it is a path of this very site, else the home.
 * Refuses everything a browser could read as another origin (`//host`, `/\host`, `/<tab>/host`).
 */
export const safeDestination = (wanted: unknown): string => {
  if (typeof wanted !== 'string' || !/^\/(?!\/)[^\\\p{Cc}]*$/u.test(wanted)) return HOME
  const { origin, pathname } = new URL(wanted, window.location.origin)
  return origin === window.location.origin && pathname !== '/' ? wanted : HOME
}
