/** How long before its end the session can be extended in the dialog. */
export const WARNING_MS = 2 * 60_000

export interface Ending {
  kind: 'absolute' | 'idle'
  /** The instant (ms) at which the session ends. */
  at: number
  /** Milliseconds until then. */
  remaining: number
}

/** Instants in ms, all by the server's clock. */
interface Clocks {
  now: number
  /** `exp` of the token, in ms. */
  tokenEnd: number
  /** The last call that the server counted as use; 0 when unknown. */
  lastUserActivity: number
  /** The limits of GET /usuarios/sessao, and when they were read. */
  limits: { sessaoExpiraEm: string; sessaoOciosaEm: string; readAt: number } | undefined
}

/** Returns the earlier end: the absolute one, or the idle one after the last call in any tab. */
export const nextEnding = ({ now, tokenEnd, lastUserActivity, limits }: Clocks): Ending => {
  const absolute = Math.min(tokenEnd, limits ? Date.parse(limits.sessaoExpiraEm) : tokenEnd)
  if (!limits) return { kind: 'absolute', at: absolute, remaining: absolute - now }
  const idleSpan = Date.parse(limits.sessaoOciosaEm) - limits.readAt
  const idle = Math.max(limits.readAt, lastUserActivity) + idleSpan
  return idle < absolute
    ? { kind: 'idle', at: idle, remaining: idle - now }
    : { kind: 'absolute', at: absolute, remaining: absolute - now }
}
