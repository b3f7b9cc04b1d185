import { useEffect, useEffectEvent } from 'react'

/** Notifies the parent whether something is so: at each change, and false after the unmount. */
export const useReported = (isSo: boolean, report: (isSo: boolean) => void): void => {
  const notify = useEffectEvent(report)
  useEffect(() => notify(isSo), [isSo])
  useEffect(() => () => notify(false), [])
}
