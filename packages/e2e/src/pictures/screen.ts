import type { Page } from 'playwright-core'

/** A screen of the portal, for pictures. */
export interface Screen {
  name: string
  path: string
  /** Opens what the address does not show: a dialog, a panel, a later step. */
  act?: (page: Page) => Promise<unknown>
}

/** Presses the first button with this name. */
export const press = (page: Page, name: string | RegExp) => page.getByRole('button', { name }).first().click()
