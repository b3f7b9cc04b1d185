/** The provider redirects where the request and its credentials must not be sent. */
export class ForeignRedirect extends Error {
  override readonly name = 'ForeignRedirect'
  readonly from: string
  readonly to: string

  constructor(from: string, to: string) {
    super(`${from} redirects to ${to}`)
    this.from = from
    this.to = to
  }
}

const redirectsAtMost = 3

/**
 * Fetches an address and follows redirects within its origin and to hosts below `clusters`: Power
 * BI answers 307 with the cluster of the tenant (learn.microsoft.com/power-bi/developer/embedded/
 * troubleshoot-rest-api). Every other host would get the bearer token.
 * @throws ForeignRedirect
 */
export const fetchWithin = async (
  clusters: string | undefined,
  url: string,
  init: RequestInit,
): Promise<Response> => {
  let target = new URL(url)
  for (let followed = 0; ; followed += 1) {
    const response = await fetch(target, { ...init, redirect: 'manual' })
    const location = response.headers.get('location')
    if (!redirects.includes(response.status) || !location) return response
    await response.body?.cancel()
    const next = URL.parse(location, target.href)
    const isFollowed =
      followed < redirectsAtMost &&
      keepsRequest(response.status, init.method) &&
      isTrusted(next, target, clusters)
    if (!next || !isFollowed) throw new ForeignRedirect(target.origin, next?.origin ?? 'um endereço inválido')
    target = next
  }
}

const redirects = [301, 302, 303, 307, 308]

/** Only 307 and 308 keep the method and body of a POST. */
const keepsRequest = (status: number, method = 'GET'): boolean =>
  method === 'GET' || status === 307 || status === 308

const isTrusted = (next: URL | null, from: URL, clusters: string | undefined): boolean =>
  next !== null &&
  (next.origin === from.origin ||
    (clusters !== undefined && next.protocol === from.protocol && isBelow(next.hostname, clusters)))

const isBelow = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
