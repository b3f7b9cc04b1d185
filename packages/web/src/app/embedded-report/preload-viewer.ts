import { loadReportFrame, portalSettings } from '../../reports/index.ts'

/** Fetches the viewer's code and settings before the user clicks a report. */
export const preloadViewer = (): void => {
  // Errors are ignored: the route loads the same files again and shows its own error.
  Promise.all([
    import('./report-route.tsx'),
    import('./bound-viewer.tsx'),
    loadReportFrame(),
    portalSettings(),
  ]).catch(() => undefined)
}
