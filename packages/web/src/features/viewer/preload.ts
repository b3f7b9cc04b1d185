/** Fetches the viewer's code ahead of the click; called when a menu link is hovered or focused. */
export const preloadViewer = (): void => {
  // A failed preload is no failure: the route loads the same modules again and shows its own error.
  Promise.all([import('./report-page.tsx'), import('./bi-service.ts')]).catch(() => undefined)
}
