/**
 * Returns a parser of text/event-stream that takes arbitrary chunks and reports event names only:
 * an event says what to refetch and carries no data.
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
    // A trailing CR may be the first half of a CRLF.
    const lines = rest.split(/\r\n|\n|\r(?!$)/)
    rest = lines.pop() ?? ''
    for (const line of lines) readLine(line)
  }
}
