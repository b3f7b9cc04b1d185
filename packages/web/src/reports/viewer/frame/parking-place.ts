const place = document.createElement('div')
place.inert = true
Object.assign(place.style, { position: 'fixed', top: '0', left: '0', zIndex: '-1', visibility: 'hidden' })

/**
 * Returns a hidden and inert place for a frame that no page shows. It is as large as the place on a
 * report page, so that a report drawn here need not be redrawn there.
 */
export const parkingPlace = (): HTMLElement => {
  if (!place.isConnected) document.body.append(place)
  Object.assign(place.style, sizeOnReportPage())
  return place
}

const sizeOnReportPage = () => {
  const page = document.getElementById('conteudo')
  if (!page) return { width: '100vw', height: '100vh' }
  // A report page has no scrollbar, so its report is wider by the width of the scrollbar here.
  const scrollbar = window.innerWidth - document.documentElement.clientWidth
  return {
    width: `${page.clientWidth + scrollbar}px`,
    height: `calc(100dvh - ${page.offsetTop}px - var(--report-toolbar-height))`,
  }
}
