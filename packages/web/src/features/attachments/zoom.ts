/** Where the slider stands when something is opened: the whole of it fits the frame. */
export const FIT = 60
export const ZOOM_STEP = 5

/** Times the size that fits: a quarter at 0, once at 60, six times at 100. */
const SMALLEST = 0.25
const LARGEST = 6

/** How many times the fitting size the slider's percent stands for; each step above 60 enlarges by the same share. */
export const zoomFactor = (zoom: number): number =>
  zoom <= FIT ? SMALLEST + (1 - SMALLEST) * (zoom / FIT) : LARGEST ** ((zoom - FIT) / (100 - FIT))

/** The slider's percent for so many times the fitting size, as fingers and the wheel give it. */
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

/** The scale at which all of something fits the frame (CSS pixels); `largest` keeps a small picture from being blown up. */
export const fitScale = (frame: Size, content: Size, largest = Number.POSITIVE_INFINITY): number =>
  Math.min(frame.width / content.width, frame.height / content.height, largest)
