/** The initial slider value, at which the content fits the frame. */
export const FIT = 60
export const ZOOM_STEP = 5

/** Factors of the fitting size at 0 and 100; at FIT it is 1. */
const SMALLEST = 0.25
const LARGEST = 6

/** Returns the factor of the fitting size; above FIT each step enlarges by the same ratio. */
export const zoomFactor = (zoom: number): number =>
  zoom <= FIT ? SMALLEST + (1 - SMALLEST) * (zoom / FIT) : LARGEST ** ((zoom - FIT) / (100 - FIT))

/** Returns the slider's percent for a factor of the fitting size, as pinch and wheel provide it. */
export const zoomOf = (factor: number): number =>
  clampZoom(
    factor <= 1
      ? ((factor - SMALLEST) / (1 - SMALLEST)) * FIT
      : FIT + (Math.log(factor) / Math.log(LARGEST)) * (100 - FIT),
  )

export const clampZoom = (zoom: number): number => Math.min(100, Math.max(0, Math.round(zoom)))

export interface Size {
  width: number
  height: number
}

/** Returns the scale that fits the content into the frame (CSS pixels), at most `largest`. */
export const fitScale = (frame: Size, content: Size, largest = Number.POSITIVE_INFINITY): number =>
  Math.min(frame.width / content.width, frame.height / content.height, largest)
