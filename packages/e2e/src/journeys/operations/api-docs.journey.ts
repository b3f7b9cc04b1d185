import { expect, inject, test } from 'vitest'
import { visit } from '../../browser/visitor.ts'

const portal = inject('portal')

test('/api/docs shows every call under its own strict CSP', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit()
  await visitor.goto('/api/docs')
  const { paths } = await (await fetch(`${portal}/api/openapi.json`)).json()
  await visitor.page.locator('.opblock').first().waitFor()
  const operations = Object.values(paths as Record<string, object>).flatMap((methods) => Object.keys(methods))
  // Swagger UI renders only visible calls: scrolls until all have been rendered.
  await visitor.page.mouse.move(200, 500)
  const seen = new Set<string>()
  const readOn = async () => {
    for (const call of await visitor.page.locator('.opblock-summary').allInnerTexts()) seen.add(call)
    const isAtEnd = await visitor.page.evaluate(
      () => scrollY + innerHeight >= document.documentElement.scrollHeight - 5,
    )
    // Starts over at the end, for calls that a busy machine rendered too late.
    await visitor.page.mouse.wheel(0, isAtEnd ? -100_000 : 400)
    return seen.size
  }
  await expect.poll(readOn, { timeout: 90_000, interval: 150 }).toBe(operations.length)
  await visitor.close()
})
