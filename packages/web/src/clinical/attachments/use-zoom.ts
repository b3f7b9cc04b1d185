import { useEffect, useLayoutEffect, useRef, useState } from 'react'
import { clampZoom, FIT, fitScale, type Size, ZOOM_STEP, zoomFactor, zoomOf } from './zoom.ts'

export interface Point {
  x: number
  y: number
}

/**
 * Zoom state of content in a scrolling frame, in percent of the slider.
 * @param content its natural size; undefined until known
 * @param largest the largest scale at FIT, relative to the natural size
 */
export const useZoom = (content: Size | undefined, largest?: number) => {
  const [zoom, setZoom] = useState(FIT)
  const [frame, setFrame] = useState<HTMLDivElement | null>(null)
  const room = useRoom(frame)
  const shown = content && room && sizeAt(zoom, content, room, largest)
  /** The point of the content (0 to 1 on each axis) that a zoom keeps at a point of the frame. */
  const kept = useRef<{ part: Point; at: Point }>(undefined)

  const zoomTo = (next: number, at?: Point) => {
    if (frame && shown && room) kept.current = keptAt(frame, shown, at ?? middleOf(room))
    setZoom(clampZoom(next))
  }
  const width = shown?.width
  const height = shown?.height
  useLayoutEffect(() => {
    const { part, at } = kept.current ?? {}
    kept.current = undefined
    if (!frame || !part || !at || width === undefined || height === undefined) return
    frame.scrollLeft = part.x * width + marginOf(frame.offsetWidth, width) - at.x
    frame.scrollTop = part.y * height + marginOf(frame.offsetHeight, height) - at.y
  }, [frame, width, height])

  useZoomKeys(frame, (change) => zoomTo(change === 'fit' ? FIT : zoom + change))

  return {
    zoom,
    frame,
    /** Ref callback of the frame. */
    setFrame,
    room,
    /** CSS pixels. */
    shown,
    zoomTo,
    zoomBy: (factor: number, at?: Point) => zoomTo(zoomOf(zoomFactor(zoom) * factor), at),
    reset: () => zoomTo(FIT),
  }
}

export type Zoom = ReturnType<typeof useZoom>

/** Handles '+', '-' and '0' anywhere in the frame's dialog. */
const useZoomKeys = (frame: HTMLElement | null, onKey: (change: number | 'fit') => void): void => {
  const hear = useRef(onKey)
  hear.current = onKey
  useEffect(() => {
    const area = frame?.closest<HTMLElement>('[role="dialog"]') ?? frame
    const handleKeyDown = (event: KeyboardEvent) => {
      const change = keys[event.key]
      if (change === undefined || event.ctrlKey || event.metaKey || event.altKey) return
      event.preventDefault()
      hear.current(change)
    }
    area?.addEventListener('keydown', handleKeyDown)
    return () => area?.removeEventListener('keydown', handleKeyDown)
  }, [frame])
}

const keys: Record<string, number | 'fit'> = { '+': ZOOM_STEP, '=': ZOOM_STEP, '-': -ZOOM_STEP, '0': 'fit' }

/** Returns the frame's size including scrollbars, which appear and disappear with the zoom. */
const useRoom = (frame: HTMLElement | null): Size | undefined => {
  const [room, setRoom] = useState<Size>()
  useEffect(() => {
    if (!frame) return
    const measure = () => setRoom({ width: frame.offsetWidth, height: frame.offsetHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(frame, { box: 'border-box' })
    return () => observer.disconnect()
  }, [frame])
  return room
}

const sizeAt = (zoom: number, content: Size, room: Size, largest?: number): Size => {
  const scale = fitScale(room, content, largest) * zoomFactor(zoom)
  return {
    width: Math.max(1, Math.floor(content.width * scale)),
    height: Math.max(1, Math.floor(content.height * scale)),
  }
}

const keptAt = (frame: HTMLElement, shown: Size, at: Point) => ({
  at,
  part: {
    x: (frame.scrollLeft + at.x - marginOf(frame.offsetWidth, shown.width)) / shown.width,
    y: (frame.scrollTop + at.y - marginOf(frame.offsetHeight, shown.height)) / shown.height,
  },
})

const middleOf = ({ width, height }: Size): Point => ({ x: width / 2, y: height / 2 })

/** Returns the margin that centres content smaller than the frame. */
const marginOf = (room: number, size: number): number => Math.max(0, (room - size) / 2)
