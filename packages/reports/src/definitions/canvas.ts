/** The size of a report page in CSS pixels. */
export const CANVAS = { width: 1280, height: 720 }
