/** What a page is drawn on, in CSS pixels. */
export const CANVAS = { width: 1280, height: 720 }
