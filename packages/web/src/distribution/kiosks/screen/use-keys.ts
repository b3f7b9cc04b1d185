import { useEffect } from 'react'
import type { RotationPlayer } from './rotation-player.ts'

/** Fills the screen, or leaves it. The browser allows it only after a key or a click. */
export const toggleFullScreen = (): void => {
  const change = document.fullscreenElement
    ? document.exitFullscreen()
    : document.documentElement.requestFullscreen?.()
  change?.catch(() => undefined)
}

const actions = new Map<string, (player: RotationPlayer | undefined) => void>([
  ['ArrowRight', (player) => player?.next()],
  ['ArrowLeft', (player) => player?.previous()],
  [' ', (player) => player?.togglePause()],
  ['f', toggleFullScreen],
  ['F', toggleFullScreen],
])

/** Space pauses, the arrows change the page, F fills the screen. */
export const useKeys = (player: RotationPlayer | undefined): void => {
  useEffect(() => {
    const handleKey = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey) return
      // A focused button handles the space bar itself.
      if (event.key === ' ' && event.target instanceof HTMLButtonElement) return
      const action = actions.get(event.key)
      if (!action) return
      event.preventDefault()
      action(player)
    }
    window.addEventListener('keydown', handleKey)
    return () => window.removeEventListener('keydown', handleKey)
  }, [player])
}
