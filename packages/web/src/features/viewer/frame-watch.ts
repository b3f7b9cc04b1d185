import { isReachable } from '../../lib/connection.ts'
import {
  blockedFrame,
  networkProblem,
  silentFrame,
  unreachedFrame,
  type ViewerProblem,
} from './viewer-problem.ts'

/** No `loaded` for this long: the frame does not answer, or its host cannot be reached. */
const limitMs = 30_000
const lookMs = 500

interface FrameWatchOptions {
  /** Aborted when the report is closed. */
  signal: AbortSignal
  /** Of the provider's page. */
  origin: string
  /** Whether the browser shows a page of its own in the frame. */
  isUnreached?: () => boolean
  onFailure: (problem: ViewerProblem) => void
}

/**
 * Ends the wait for a frame that says nothing. A page that this portal's own policy keeps out is
 * told of at once, and one that was not reached where the browser lets that be seen. `limit` starts
 * the clock, when the frame has all it needs.
 */
export const watchFrame = ({ signal, origin, isUnreached = () => false, onFailure }: FrameWatchOptions) => {
  const life = new AbortController()
  const until = AbortSignal.any([signal, life.signal])
  document.addEventListener(
    'securitypolicyviolation',
    ({ effectiveDirective, blockedURI }) => {
      if (effectiveDirective === 'frame-src' && blockedURI.startsWith(origin)) onFailure(blockedFrame)
    },
    { signal: until },
  )
  const limit = () => {
    if (until.aborted) return
    const timer = setTimeout(() => onFailure(isReachable() ? silentFrame : networkProblem), limitMs)
    const looking = setInterval(() => {
      if (isUnreached()) onFailure(isReachable() ? unreachedFrame : networkProblem)
    }, lookMs)
    until.addEventListener(
      'abort',
      () => {
        clearTimeout(timer)
        clearInterval(looking)
      },
      { once: true },
    )
  }
  return { limit, end: () => life.abort() }
}
