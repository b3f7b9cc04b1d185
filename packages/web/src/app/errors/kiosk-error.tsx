import { useEffect } from 'react'
import { useRouteError } from 'react-router'
import { servedBuild } from '../../lib/api/new-version.ts'
import { BrokenPage } from '../../ui/errors/broken-page.tsx'

const everyMs = 30_000

/**
 * Shown on the screen of a kiosk whose page failed or could not be loaded. Reloads the page as soon
 * as the server answers, since the screen has no keyboard.
 */
export const KioskError = () => {
  const error = useRouteError()
  useEffect(() => {
    const life = new AbortController()
    const reload = async () => {
      if (await servedBuild(life.signal)) window.location.reload()
    }
    const timer = setInterval(() => void reload().catch(() => undefined), everyMs)
    return () => {
      clearInterval(timer)
      life.abort()
    }
  }, [])
  return (
    <main>
      <BrokenPage error={error}>
        <p>A tela tenta de novo sozinha.</p>
      </BrokenPage>
    </main>
  )
}
