/**
 * A hidden and inert place for a frame that no page shows. It is as large as the place on a report
 * page, so that a report drawn here need not be redrawn there.
 */
export class ParkingPlace {
  readonly #element = document.createElement('div')

  constructor() {
    this.#element.inert = true
    Object.assign(this.#element.style, {
      position: 'fixed',
      top: '0',
      left: '0',
      zIndex: '-1',
      visibility: 'hidden',
    })
  }

  /** Returns the element with the size that a report page has now. */
  element(): HTMLElement {
    if (!this.#element.isConnected) document.body.append(this.#element)
    Object.assign(this.#element.style, sizeOnReportPage())
    return this.#element
  }
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
