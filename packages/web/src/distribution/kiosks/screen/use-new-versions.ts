import { useEffect } from 'react'
import { loadNewVersion, useHasNewVersion } from '../../../lib/api/new-version.ts'

/** Milliseconds before the first attempt, too: a page that is loaded again and again stays usable. */
const everyMs = 30_000

/** Loads each new version of the portal without a question: a screen has no user to answer it. */
export const useNewVersions = (): void => {
  const hasNewVersion = useHasNewVersion()
  useEffect(() => {
    if (!hasNewVersion) return
    const life = new AbortController()
    const timer = setInterval(() => void loadNewVersion(life.signal).catch(() => undefined), everyMs)
    return () => {
      clearInterval(timer)
      life.abort()
    }
  }, [hasNewVersion])
}
