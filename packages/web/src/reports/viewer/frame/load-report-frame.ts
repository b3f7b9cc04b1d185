/** Loads the client of the embed page, which is large. */
export const loadReportFrame = () => import('./report-frame.ts')
