import { isReachable } from '../../../lib/api/connection.ts'
import {
  blockedFrame,
  networkProblem,
  silentFrame,
  unreachedFrame,
  type ViewerProblem,
} from '../problems/viewer-problem.ts'

/** Without `loaded` for this long, the frame is hung or its host unreachable. */
const limitMs = 30_000
const lookMs = 500

interface FrameWatchOptions {
  /** Aborted when the report is closed. */
  signal: AbortSignal
  /** The origin of the provider's page. */
  origin: string
  /** Whether the frame shows the browser's error page. */
  isUnreached?: () => boolean
  onFailure: (problem: ViewerProblem) => void
}

/**
 * Reports a frame that does not load: at once when the portal's CSP blocks its page, within a
 * second when the browser shows that its host is unreachable, otherwise after a time limit. `limit`
 * starts the clock; call it once the frame has everything it needs.
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
