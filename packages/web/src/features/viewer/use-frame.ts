import { type RefObject, useCallback, useLayoutEffect, useRef } from 'react'
import { FramePlace } from './frame-place.ts'
import type { ReportFrame } from './report-frame.ts'

/** The frame that this element shows, made when it is first asked for. */
export const useFrame = (element: RefObject<HTMLElement | null>): (() => Promise<ReportFrame>) => {
  const place = useRef<FramePlace>(undefined)
  // Not a passive effect, whose end comes when the element has left the page.
  useLayoutEffect(() => {
    if (!element.current) return undefined
    const own = new FramePlace(element.current)
    place.current = own
    return () => own.leave()
  }, [element])
  return useCallback(async () => {
    if (!place.current) throw new Error('O relatório não tem onde abrir.')
    return place.current.frame()
  }, [])
}
