import { portalSettings } from './portal-settings.ts'

/** Fetches the viewer's code, and the settings that it asks for, ahead of the click. */
export const preloadViewer = (): void => {
  // A failed preload is no failure: the route loads the same again and shows its own error.
  Promise.all([
    import('./report-page.tsx'),
    import('./bound-report.tsx'),
    import('./bi-service.ts'),
    import('./report-frame.ts'),
    portalSettings(),
  ]).catch(() => undefined)
}
