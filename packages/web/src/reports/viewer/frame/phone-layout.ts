/** A phone in portrait: shows the report's phone layout if its author made one. */
const upright = '(orientation: portrait) and (max-width: 40em)'

export const isUprightPhone = (): boolean => window.matchMedia(upright).matches

/**
 * Calls the listener when the window starts or stops matching; returns the unsubscribe function.
 */
export const onPhoneTurned = (listener: () => void): (() => void) => {
  const query = window.matchMedia(upright)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
