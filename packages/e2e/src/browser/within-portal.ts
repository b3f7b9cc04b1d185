import type { Page } from 'playwright-core'

/** Navigates within the portal without a reload, through the history: no link is needed. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    history.pushState(null, '', address)
    history.back()
  }, path)

/** Navigates to a report and waits until it is rendered and its view recorded. */
export const openAndAwaitView = async (page: Page, go: () => Promise<unknown>): Promise<void> => {
  const recorded = page.waitForResponse((response) => /\/visualizacao$/.test(response.url()))
  await go()
  await recorded
}
