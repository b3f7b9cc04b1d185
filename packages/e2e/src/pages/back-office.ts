import type { Locator, Page } from 'playwright-core'
import { type VisitorOptions, visit } from '../browser/visitor.ts'
import { people } from '../people/people.ts'

/* Steps shared by the journeys through the back office. */

/** Opens a page of the back office as an administrator. */
export const administrator = async (path: string, options?: Partial<VisitorOptions>) => {
  const visitor = await visit(options)
  await visitor.enter(people.admin, path)
  await visitor.page.getByRole('main').getByRole('heading').first().waitFor()
  return visitor
}

/** Expects each exact text to be visible. */
export const expectTexts = async (within: Locator, texts: string[]): Promise<void> => {
  for (const text of texts)
    await within.getByText(text, { exact: true }).filter({ visible: true }).first().waitFor()
}

export const press = (within: Page | Locator, name: string | RegExp): Promise<void> =>
  within.getByRole('button', { name, exact: true }).click()

export const box = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('checkbox', { name, exact: true })

/** Chooses the first match of a searchable dropdown. */
export const choose = async (page: Page, label: string, search: string): Promise<void> => {
  await page.getByRole('combobox', { name: label }).fill(search)
  await page.getByRole('option', { name: search }).first().click()
}

export const waitUntilHidden = (locator: Locator): Promise<void> => locator.waitFor({ state: 'hidden' })
