import { Box } from '@mantine/core'
import { type KeyboardEvent, type PointerEvent, type ReactNode, useEffect, useRef } from 'react'
import classes from './attachment-viewer.module.css'
import type { Point, Zoom } from './use-zoom.ts'

interface ZoomFrameProps {
  zoom: Zoom
  /** The accessible name of the region. */
  label: string
  children: ReactNode
}

/** CSS pixels per press of an arrow key. */
const STEP_PX = 60

/** Scrolls by drag, touch and arrow keys; zooms by Ctrl+wheel and pinch. */
export const ZoomFrame = ({ zoom, label, children }: ZoomFrameProps) => {
  const { frame, setFrame, shown, room } = zoom
  const drag = useRef<Point>(undefined)
  useZoomGestures(zoom)

  const handlePointerDown = (event: PointerEvent<HTMLDivElement>) => {
    // Touch scrolls natively, with momentum.
    if (event.pointerType === 'touch' || event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    drag.current = { x: event.clientX, y: event.clientY }
  }
  const handlePointerMove = (event: PointerEvent<HTMLDivElement>) => {
    const from = drag.current
    if (!from) return
    event.currentTarget.scrollBy(from.x - event.clientX, from.y - event.clientY)
    drag.current = { x: event.clientX, y: event.clientY }
  }
  const endDrag = () => {
    drag.current = undefined
  }
  const handleKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    frame?.scrollBy(move.x * STEP_PX, move.y * STEP_PX)
  }
  const isLarger = shown && room && (shown.width > room.width || shown.height > room.height)
  return (
    // biome-ignore lint/a11y/useSemanticElements: focusable, so that keys can scroll it
    <div
      ref={setFrame}
      role="region"
      aria-label={label}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: as above
      tabIndex={0}
      className={classes.frame}
      data-movable={isLarger || undefined}
      onPointerDown={handlePointerDown}
      onPointerMove={handlePointerMove}
      onPointerUp={endDrag}
      onPointerCancel={endDrag}
      onKeyDown={handleKeyDown}
    >
      <Box flex="none" m="auto" style={shown}>
        {children}
      </Box>
    </div>
  )
}

const moves: Record<string, Point> = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
}

/**
 * Handles pinch and Ctrl+wheel (which touchpads send for a pinch). Native listeners, because
 * React's are passive and cannot prevent the page's own zoom.
 */
const useZoomGestures = (zoom: Zoom): void => {
  const { frame } = zoom
  const latest = useRef(zoom)
  latest.current = zoom
  useEffect(() => {
    if (!frame) return
    const pointOf = (x: number, y: number): Point => {
      const { left, top } = frame.getBoundingClientRect()
      return { x: x - left, y: y - top }
    }
    const handleWheel = (event: WheelEvent) => {
      if (!event.ctrlKey) return
      event.preventDefault()
      latest.current.zoomBy(Math.exp(-event.deltaY / 250), pointOf(event.clientX, event.clientY))
    }
    let apart: number | undefined
    const handleTouch = (event: TouchEvent) => {
      const [one, other] = event.touches
      if (event.touches.length !== 2 || !one || !other) {
        apart = undefined
        return
      }
      event.preventDefault()
      const distance = Math.hypot(one.clientX - other.clientX, one.clientY - other.clientY)
      const middle = pointOf((one.clientX + other.clientX) / 2, (one.clientY + other.clientY) / 2)
      // The zoom changes in whole percents: small moves are accumulated.
      const factor = distance / (apart ?? distance)
      if (apart !== undefined && Math.abs(factor - 1) < 0.05) return
      if (apart !== undefined) latest.current.zoomBy(factor, middle)
      apart = distance
    }
    const end = new AbortController()
    const options = { passive: false, signal: end.signal }
    frame.addEventListener('wheel', handleWheel, options)
    frame.addEventListener('touchstart', handleTouch, options)
    frame.addEventListener('touchmove', handleTouch, options)
    frame.addEventListener('touchend', handleTouch, options)
    return () => end.abort()
  }, [frame])
}
