import { useEffect, useEffectEvent } from 'react'

/** Tells the parent whether something is so: at each change, and false after the unmount. */
export const useReported = (isSo: boolean, report: (isSo: boolean) => void): void => {
  const tell = useEffectEvent(report)
  useEffect(() => tell(isSo), [isSo])
  useEffect(() => () => tell(false), [])
}
