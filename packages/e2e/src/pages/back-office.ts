import { readFile } from 'node:fs/promises'
import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { type Look, type VisitorOptions, visit } from '../browser/visitor.ts'
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

/** Shows the controls of a list or page that are folded on a phone. */
export const unfold = async (
  within: Page | Locator,
  { size }: Look,
  button: 'Opções' | 'Mais ações' = 'Opções',
): Promise<void> => {
  if (size === 'phone')
    await within.getByRole('button', { name: new RegExp(`^${button}`), expanded: false }).click()
}

export const box = (page: Page, name: string): Locator =>
  page.getByRole('main').getByRole('checkbox', { name, exact: true })

/** Chooses the first match of a searchable dropdown. */
export const choose = async (
  page: Page,
  label: string,
  search: string,
  option: string | RegExp = search,
): Promise<void> => {
  await page.getByRole('combobox', { name: label }).fill(search)
  await page.getByRole('option', { name: option }).first().click()
}

export const dialogOf = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })

export const closeDialog = async (dialog: Locator): Promise<void> => {
  await press(dialog, 'Fechar')
  await waitUntilHidden(dialog)
}

/** Types a text into a list's search and waits until the address has it. */
export const searchList = async (page: Page, label: string, text: string): Promise<void> => {
  await page.getByLabel(label).fill(text)
  await page.waitForURL((url) => url.searchParams.get('busca') === text)
}

/** Expects the message to appear and to disappear after about `seconds`. */
export const expectMessageFor = async (page: Page, seconds: number): Promise<void> => {
  const message = page.getByText('É necessário preencher todos os campos!')
  await message.waitFor()
  const shown = Date.now()
  await waitUntilHidden(message)
  expect(Math.abs(Date.now() - shown - seconds * 1_000)).toBeLessThan(900)
}

/** Saves the file of a download button. */
export const download = async (within: Page | Locator, button: string) => {
  const page = 'page' in within ? within.page() : within
  const [file] = await Promise.all([page.waitForEvent('download'), press(within, button)])
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

export const passwordField = (page: Page): Locator => page.getByLabel('Senha', { exact: true })

export const waitUntilHidden = (locator: Locator): Promise<void> => locator.waitFor({ state: 'hidden' })
