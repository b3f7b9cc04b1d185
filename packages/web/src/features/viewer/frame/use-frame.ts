import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { FrameSlot } from './frame-slot.ts'
import type { ReportFrame } from './report-frame.ts'

/** Returns a function that creates the frame in this element on first call. */
export const useFrame = (element: RefObject<HTMLElement | null>): (() => Promise<ReportFrame>) => {
  const place = useRef<FrameSlot>(undefined)
  // A layout effect, because a passive effect is cleaned up after the element left the document.
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const own = new FrameSlot(element.current)
    place.current = own
    return () => own.leave()
  }, [element])
  return useCallback(async () => {
    if (!place.current) throw new Error('O relatório não tem onde abrir.')
    return place.current.frame()
  }, [])
}
