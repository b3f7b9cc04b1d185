import { useEffect } from 'react'

/** While there is unsaved input, the browser asks before the tab is closed or reloaded. */
export const useAskBeforeUnload = (isDirty: boolean): void =>
  useEffect(() => {
    if (!isDirty) return
    const ask = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', ask)
    return () => window.removeEventListener('beforeunload', ask)
  }, [isDirty])
