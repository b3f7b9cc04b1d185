import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import type { FrameSlot, FrameStore } from './frame-store.ts'
import type { ReportFrame } from './report-frame.ts'

/** Returns a function that shows the store's frame in this element on first call. */
export const useFrame = (
  store: FrameStore,
  element: RefObject<HTMLElement | null>,
): (() => Promise<ReportFrame>) => {
  const slot = useRef<FrameSlot>(undefined)
  // A layout effect, because a passive effect is cleaned up after the element left the document.
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const own = store.slot(element.current)
    slot.current = own
    return () => own.leave()
  }, [store, element])
  return useCallback(async () => {
    if (!slot.current) throw new Error('O relatório não tem onde abrir.')
    return slot.current.frame()
  }, [])
}
