import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsApi } from '@bi-manager/contract'
import {
  type SimulatedCloud,
  type SimulatedCloudName,
  simulatedClouds,
} from '@bi-manager/server/test/stand-ins/microsoft-clouds'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { launchBrowser } from '../../browser/browser.ts'
import { waitForRendered } from '../../browser/report-frame.ts'
import { openBrowserProfile } from '../../browser/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { startPortal } from '../../services/demo.ts'
import { startMicrosoftClouds } from '../../services/microsoft-clouds.ts'
import { registerConnection, registerWorkspace } from '../../services/microsoft-registrations.ts'

/* The portal in three of Microsoft's clouds, at their own addresses. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const workspaceIn = ({ embed }: SimulatedCloud) => {
  const id = crypto.randomUUID()
  const report = {
    id: crypto.randomUUID(),
    name: `Vendas em ${embed}`,
    datasetId: crypto.randomUUID(),
    embedUrl: `https://${embed}/reportEmbed?reportId=${crypto.randomUUID()}&groupId=${id}&w=2`,
  }
  return { id, name: 'Comercial', reports: [report] }
}
const workspaces = new Map(Object.values(simulatedClouds).map((cloud) => [cloud.embed, workspaceIn(cloud)]))
const workspaceOf = ({ embed }: SimulatedCloud) => {
  const workspace = workspaces.get(embed)
  if (!workspace) throw new Error(`${embed} has no workspace`)
  return workspace
}

let folder: string
let clouds: Awaited<ReturnType<typeof startMicrosoftClouds>>
let browser: Browser
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-clouds-'))
  clouds = await startMicrosoftClouds(folder, (cloud) => ({ workspaces: [workspaceOf(cloud)] }))
  browser = await launchBrowser([clouds.resolverRules])
})
afterAll(async () => {
  await browser?.close()
  await clouds?.stop()
  await rm(folder, { recursive: true, force: true })
})

test.each(Object.keys(simulatedClouds) as SimulatedCloudName[])(
  'POWERBI_CLOUD=%s tests a connection and shows a report with the addresses of that cloud alone',
  { timeout: 120_000 },
  async (name) => {
    const cloud: SimulatedCloud = simulatedClouds[name]
    const workspace = workspaceOf(cloud)
    clouds.calledHosts()
    const demo = await startPortal({
      POWERBI_CLOUD: name,
      ADMIN_EMAIL: admin.email,
      ADMIN_PASSWORD: admin.password,
      ...clouds.settings,
    })
    try {
      const api = await signedInClient(demo.portal, admin)
      const id = await registerConnection(api)
      await registerWorkspace(api, id, workspace)
      const { etapas, avisos } = await api.call(connectionsApi.test, { params: { id } })
      expect([etapas.map(({ ok }) => ok), avisos]).toEqual([[true, true, true, true], []])
      expect(clouds.calledHosts()).toEqual(new Set([cloud.authority, cloud.api]))

      const [report] = reportsOf(await api.menu())
      const visitor = await openBrowserProfile(browser, { portal: demo.portal, ignoreHTTPSErrors: true })
      const { page } = visitor
      await visitor.enter(admin, report?.path ?? '')
      const frame = await waitForRendered(page)
      expect(new URL(frame.url()).host).toBe(cloud.embed)
      await frame.getByText(`Vendas em ${cloud.embed}`).waitFor()
      const policy = (await page.request.get(demo.portal)).headers()['content-security-policy'] ?? ''
      expect(/frame-src ([^;]*)/.exec(policy)?.[1]).toBe(`https://${cloud.embed}`)
      await visitor.close()
    } finally {
      await demo.stop()
    }
  },
)
