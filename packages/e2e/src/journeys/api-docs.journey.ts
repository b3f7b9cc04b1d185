import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { launchBrowser } from '../browser.ts'
import { visit } from '../visitor.ts'

const portal = inject('portal')
let browser: Browser
beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

test('the page at /api/docs shows every call, under its own strict policy', async () => {
  const visitor = await visit(browser, { portal })
  await visitor.goto('/api/docs')
  const { paths } = await (await fetch(`${portal}/api/openapi.json`)).json()
  await visitor.page.locator('.opblock').first().waitFor()
  const operations = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods))
  await expect.poll(() => visitor.page.locator('.opblock').count()).toBe(operations.length)
  await visitor.close()
})
