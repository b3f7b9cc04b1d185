import { useEffect, useState } from 'react'

/** Milliseconds without a movement after which cursor and buttons hide. */
const idleMs = 3_000

/** Whether the mouse, a finger or a key was used in the last seconds. */
export const useActivity = (): boolean => {
  const [isActive, setActive] = useState(true)
  useEffect(() => {
    const life = new AbortController()
    let timer: ReturnType<typeof setTimeout> | undefined
    const wake = () => {
      setActive(true)
      clearTimeout(timer)
      timer = setTimeout(() => setActive(false), idleMs)
    }
    for (const event of ['pointermove', 'pointerdown', 'keydown'])
      window.addEventListener(event, wake, { signal: life.signal })
    wake()
    return () => {
      life.abort()
      clearTimeout(timer)
    }
  }, [])
  return isActive
}
