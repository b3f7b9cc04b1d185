/** How long before its end a session offers to stay. */
export const WARNING_MS = 2 * 60_000

export interface Ending {
  kind: 'absolute' | 'idle'
  /** The instant (ms) at which the session ends. */
  at: number
  /** Milliseconds until then. */
  remaining: number
}

interface Clocks {
  now: number
  /** `exp` of the token, in ms. */
  tokenEnd: number
  /** Instant of the last call that the server counted as use, in ms; 0 when unknown. */
  lastUse: number
  /** What GET /usuarios/sessao said, when (ms), and by how much the server's clock is ahead of this one (ms). */
  limits: { sessaoExpiraEm: string; sessaoOciosaEm: string; readAt: number; serverAhead: number } | undefined
}

/** Which end comes first: the absolute one, or the idle one counted from the last call of any tab. */
export const nextEnding = ({ now, tokenEnd, lastUse, limits }: Clocks): Ending => {
  const absolute = Math.min(tokenEnd, limits ? Date.parse(limits.sessaoExpiraEm) : tokenEnd)
  if (!limits) return { kind: 'absolute', at: absolute, remaining: absolute - now }
  const idleSpan = Date.parse(limits.sessaoOciosaEm) - (limits.readAt + limits.serverAhead)
  const idle = Math.max(limits.readAt, lastUse) + idleSpan
  return idle < absolute
    ? { kind: 'idle', at: idle, remaining: idle - now }
    : { kind: 'absolute', at: absolute, remaining: absolute - now }
}
