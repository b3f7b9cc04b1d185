import { useLayoutEffect } from 'react'

/**
 * Shown while the first page loads. What one sees is the frame of index.html, which is there before
 * any script; this only says so to screen readers, and removes the frame at the end.
 */
export const Splash = () => {
  useLayoutEffect(() => {
    const { dataset } = document.documentElement
    delete dataset.pronto
    return () => {
      dataset.pronto = ''
    }
  }, [])
  return <div role="status" aria-label="Carregando o portal" />
}
