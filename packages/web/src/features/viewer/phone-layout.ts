/** A phone held upright: the report's own layout for phones fits, where its author made one. */
const upright = '(orientation: portrait) and (max-width: 40em)'

export const isUprightPhone = (): boolean => window.matchMedia(upright).matches

/** Calls back when the window is turned, or made narrow or wide; answers how to stop. */
export const onPhoneTurned = (listener: () => void): (() => void) => {
  const query = window.matchMedia(upright)
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}
