/**
 * Reads text/event-stream as it arrives, in pieces cut anywhere. Only the names of the events count: each says that
 * something is to be read anew, and carries nothing else.
 */
export const eventStreamReader = (onEvent: (name: string) => void): ((piece: string) => void) => {
  let rest = ''
  let name = ''
  let isEvent = false
  const readLine = (line: string) => {
    if (line === '') {
      if (isEvent) onEvent(name || 'message')
      name = ''
      isEvent = false
      return
    }
    const [, field = '', value = ''] = /^([^:]*):? ?(.*)$/.exec(line) ?? []
    if (field === 'event') name = value
    if (field === 'event' || field === 'data') isEvent = true
  }
  return (piece) => {
    rest += piece
    // A CR at the very end may be half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
}
