/** A request of powerbi-client. Its reply, `{statusCode, headers: {id}, body}`, has the same id. */
export interface EmbedRequest {
  method: string
  url: string
  headers: Record<string, unknown>
  body: unknown
}
export interface EmbedReply {
  status: number
  body?: unknown
}
type Post = (url: string, body: unknown) => void

/** Answers messages of the allowed origins only. Returns the function that sends events. */
export const connect = (
  allowedOrigins: readonly string[],
  answer: (request: EmbedRequest) => Promise<EmbedReply>,
): Post => {
  let embedder = embedderOrigin(allowedOrigins)
  let sent = 0

  window.addEventListener('message', async ({ source, origin, data }) => {
    if (source !== window.parent || !allowedOrigins.includes(origin) || !isRequest(data)) return
    embedder = origin
    const { status, body = null } = await answer({ ...data, headers: data.headers ?? {} })
    window.parent.postMessage({ statusCode: status, headers: { id: data.headers?.id }, body }, origin)
  })

  return (url, body) => {
    const headers = { id: `embed-${++sent}` }
    for (const origin of embedder ? [embedder] : allowedOrigins) {
      window.parent.postMessage({ method: 'POST', url, headers, body }, origin)
    }
  }
}

/**
 * Returns the embedder's origin, if the browser tells it before the first message. Otherwise events
 * are posted to each allowed origin: the browser delivers only to the right one.
 */
const embedderOrigin = (allowedOrigins: readonly string[]): string | undefined => {
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined
  return [referrer, window.location.ancestorOrigins?.[0]].find(
    (origin) => origin && allowedOrigins.includes(origin),
  )
}

/** Returns whether a message is a request: replies to this page's events have no method. */
const isRequest = (
  data: unknown,
): data is Omit<EmbedRequest, 'headers'> & { headers?: Record<string, unknown> } => {
  if (typeof data !== 'object' || data === null) return false
  const { method, url } = data as Partial<EmbedRequest>
  return typeof method === 'string' && typeof url === 'string'
}
