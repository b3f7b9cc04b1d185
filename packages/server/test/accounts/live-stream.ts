/** Opens the event stream of a window, and reads it until it ends or is closed. */
export const openStream = async (origin: string, token: string) => {
  const leaving = new AbortController()
  const response = await fetch(`${origin}/api/usuarios/eventos`, {
    headers: { authorization: `Bearer ${token}` },
    signal: leaving.signal,
  })
  let text = ''
  let ended = false
  let closed = false
  const reading = (async () => {
    for await (const chunk of response.body ?? []) text += Buffer.from(chunk).toString()
    ended = true
  })()
    .catch(() => {})
    .finally(() => {
      closed = true
    })
  return {
    response,
    text: () => text,
    events: () => text.match(/^event: .*$/gm) ?? [],
    hasEnded: () => ended,
    /** Also true when the connection broke. */
    isClosed: () => closed,
    close: async () => {
      leaving.abort()
      await reading
    },
  }
}
