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
export type Post = (url: string, body: unknown) => void

/** Answers messages of the allowed origins only. Returns the function that sends events. */
export function connect(
  allowedOrigins: readonly string[],
  answer: (request: EmbedRequest) => Promise<EmbedReply>,
): Post {
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

/** Known before the first message in most browsers; a wrong origin only logs warnings. */
function embedderOrigin(allowedOrigins: readonly string[]): string | undefined {
  const referrer = URL.canParse(document.referrer) ? new URL(document.referrer).origin : undefined
  return [referrer, window.location.ancestorOrigins?.[0]].find(
    (origin) => origin && allowedOrigins.includes(origin),
  )
}

/** Replies to our own events have no method. */
function isRequest(
  data: unknown,
): data is Omit<EmbedRequest, 'headers'> & { headers?: Record<string, unknown> } {
  if (typeof data !== 'object' || data === null) return false
  const { method, url } = data as Partial<EmbedRequest>
  return typeof method === 'string' && typeof url === 'string'
}
