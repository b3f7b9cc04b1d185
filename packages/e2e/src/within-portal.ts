import type { Page } from 'playwright-core'

/** To an address of the portal without loading it anew, as the back button goes: no link need lead there. */
export const goWithin = (page: Page, path: string): Promise<void> =>
  page.evaluate((address) => {
    history.pushState(null, '', address)
    history.pushState(null, '', address)
    history.back()
  }, path)

/** Goes somewhere that shows a report, and waits until it is drawn: only then is the view recorded. */
export const opening = async (page: Page, go: () => Promise<unknown>): Promise<void> => {
  const recorded = page.waitForResponse((response) => /\/visualizacao$/.test(response.url()))
  await go()
  await recorded
}
