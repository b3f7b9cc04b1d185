import { reportsApi } from '@bi-manager/contract'
import { expect, test } from 'vitest'
import { launchBrowser } from './browser/browser.ts'
import { waitForRendered } from './browser/report-frame.ts'
import { openBrowserProfile } from './browser/visitor.ts'
import { reportsOf, signedInClient } from './people/api.ts'
import { people } from './people/people.ts'
import { startDemo } from './services/demo.ts'
import { memoryOf } from './services/process-memory.ts'

const minutes = 5

test(`${minutes} minutes of readers cause no failed answer and no growing memory`, async () => {
  const demo = await startDemo()
  const browser = await launchBrowser()
  try {
    const until = Date.now() + minutes * 60_000
    let calls = 0
    let pages = 0
    const reader = async (person: (typeof people)[keyof typeof people]) => {
      const { call, menu } = await signedInClient(demo.portal, person)
      while (Date.now() < until) {
        for (const { groupId, reportId } of reportsOf(await menu())) {
          const { embedToken } = await call(reportsApi.embed, { body: { groupId, reportId } })
          const headers = { authorization: `EmbedToken ${embedToken}`, 'content-type': 'application/json' }
          const address = `${demo.reports}/embed-api/reports/${reportId}`
          const definition = await (await fetch(address, { headers })).json()
          for (const page of definition.pages) {
            const body = JSON.stringify({ page: page.name, filters: [] })
            const answer = await fetch(`${address}/data`, { method: 'POST', headers, body })
            if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${await answer.text()}`)
            await answer.arrayBuffer()
            calls += 3
          }
        }
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }
    const viewer = async () => {
      const visitor = await openBrowserProfile(browser, { portal: demo.portal })
      await visitor.goto('/')
      await visitor.signIn(people.admin)
      const reports = reportsOf(await (await signedInClient(demo.portal, people.admin)).menu())
      for (let i = 0; Date.now() < until; i += 1) {
        await visitor.goto(reports[i % reports.length]?.path ?? '/')
        await waitForRendered(visitor.page)
        pages += 1
      }
      await visitor.close()
    }
    const work = Promise.all([...Object.values(people).map(reader), viewer()])
    await new Promise((resolve) => setTimeout(resolve, 60_000))
    const early = memoryOf(demo.dataDir)
    await work
    const late = memoryOf(demo.dataDir)
    console.log(
      `soak ${minutes} min: ${calls} calls, ${pages} reports drawn; MB after 1 min ${JSON.stringify(early)}, at the end ${JSON.stringify(late)}`,
    )
    expect(Object.keys(early).sort()).toEqual(['databases', 'reports', 'server'])
    for (const [name, before] of Object.entries(early))
      expect(late[name], name).toBeLessThan(before * 1.5 + 100)
  } finally {
    await browser.close()
    await demo.stop()
  }
})
