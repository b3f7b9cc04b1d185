import type { Frame } from 'playwright-core'
import { expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { visit } from '../../browser/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')

/** In a timer: code evaluated by the driver itself is not subject to the CSP. */
const evaluateText = (frame: Frame): Promise<void> =>
  frame.evaluate(() => {
    setTimeout(() => {
      try {
        new Function('')
      } catch {}
    })
  })

/* `visit` reports every violation; this journey checks that it does, on the common pages. */
test('sign-in, home and a report comply with the CSP, and a violation is reported in page and frame', async () => {
  const { menu } = await signedInClient(portal, people.admin)
  const [report] = reportsOf(await menu())
  const visitor = await visit()
  const { page, complaints } = visitor
  await visitor.goto('/')
  await visitor.signIn(people.admin)
  await page.getByText('BI Saúde').first().waitFor()
  await visitor.goto(report?.path ?? '')
  const frame = await waitForRendered(page)
  expect(complaints).toEqual([])

  visitor.expectComplaint(/Content Security Policy/)
  for (const [index, one] of [page.mainFrame(), frame].entries()) {
    await evaluateText(one)
    await expect.poll(() => complaints.length, { message: one.url() }).toBeGreaterThan(index)
  }
  await visitor.close()
})
