import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { connectionsApi, reportRegistrationsApi, responsiblesApi, workspacesApi } from '@bi-manager/contract'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { visual } from '../../../../reports/test/fixture.ts'
import { launchBrowser } from '../../browser/browser.ts'
import { dataOf, waitForRendered } from '../../browser/report-frame.ts'
import {
  expectAccessible,
  expectNoSidewaysScroll,
  type Look,
  looks,
  openBrowserProfile,
  type Visitor,
} from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { startReportsAsMicrosoft } from '../../services/reports-as-microsoft.ts'

/*
 * A report at Microsoft's addresses. A report service answers there with its own implementation of
 * Power BI's protocol: Microsoft itself is not shown here.
 */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const workspace = { id: 'a0000000-0000-4000-8000-000000000071', name: 'Comercial' }
const dataset = 'd0000000-0000-4000-8000-000000000071'
const report = 'e0000000-0000-4000-8000-000000000071'

const box = (x: number, y: number, width = 580, height = 300) => ({ layout: { x, y, width, height } })
const files = {
  'datasets/vendas/dataset.json': { id: dataset, name: 'Vendas', tables: { Vendas: { file: 'v.csv' } } },
  'datasets/vendas/v.csv': [
    'uf,mes,custo,codigo,texto',
    'SP,2026-05-01,1234.5,"007",=1+1',
    'SP,2026-06-01,10,"012",1.234',
    'RJ,2026-05-01,7.25,"100",12/05/2026',
    'MG,2026-05-01,99,"200",x',
    '',
  ].join('\n'),
  'workspaces/comercial/workspace.json': workspace,
  'workspaces/comercial/vendas.json': {
    id: report,
    name: 'Vendas',
    dataset,
    pages: [
      {
        name: 'geral',
        displayName: 'Geral',
        visuals: [
          visual('por_uf', 'SELECT uf, sum(custo) AS custo FROM Vendas GROUP BY uf ORDER BY uf', {
            title: 'Custo por estado',
            labels: { uf: 'Estado', custo: 'Custo' },
            ...box(20, 20),
          }),
          visual(
            'linhas',
            "SELECT mes, lpad(codigo::VARCHAR, 3, '0') AS codigo, texto FROM Vendas ORDER BY 2",
            {
              title: 'Vendas: [todas]',
              ...box(620, 20),
            },
          ),
          visual('quebrado', "SELECT error('sem dados') AS n FROM Vendas", {
            title: 'Quebrado',
            ...box(20, 340),
          }),
          {
            name: 'estado',
            type: 'slicer',
            title: 'Estado',
            ...box(620, 340),
            slicer: { target: { table: 'Vendas', column: 'uf' } },
          },
        ],
      },
    ],
  },
}

let folder: string
let running: Awaited<ReturnType<typeof startReportsAsMicrosoft>>
let browser: Browser
let path: string
const visitors = new Map<Look, Visitor>()
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-as-microsoft-'))
  running = await startReportsAsMicrosoft(folder, files, {
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
  })
  browser = await launchBrowser([running.resolverRules])
  path = await register()
})
afterAll(async () => {
  for (const visitor of visitors.values()) await visitor.close()
  await browser?.close()
  await running?.stop()
  await rm(folder, { recursive: true, force: true })
})

/** Registers the report. @returns its address in the portal */
const register = async (): Promise<string> => {
  const { call, menu } = await signedInClient(running.portal, admin)
  const [responsible] = await call(responsiblesApi.list, { query: {} })
  const { tenantId, applications } = running.credentials
  const { idPowerBI } = await call(connectionsApi.create, {
    body: {
      nome: 'Matriz',
      username: applications[0]?.clientId ?? '',
      password: applications[0]?.clientSecret ?? '',
      tenantId,
      clienteId: 1,
      idResponsavel: responsible?.idResponsavel ?? 1,
    },
  })
  const { idGrupoRelatorio } = await call(workspacesApi.create, {
    body: { nomeGrupo: workspace.name, idGrupo: workspace.id, idPowerBi: idPowerBI },
  })
  await call(reportRegistrationsApi.create, {
    body: {
      idGrupoRelatorio,
      nomeRelatorio: 'Vendas',
      operadoraRelatorio: 'CNU',
      reportId: report,
      filtro: "Vendas/uf ne 'MG'",
    },
  })
  return reportsOf(await menu())[0]?.path ?? ''
}

const open = async (look: Look) => {
  const options = { portal: running.portal, ignoreHTTPSErrors: true, ...look }
  const visitor = await openBrowserProfile(browser, options)
  visitors.set(look, visitor)
  visitor.expectComplaint(/400|500/)
  await visitor.enter(admin, path)
  const frame = await waitForRendered(visitor.page)
  expect(new URL(frame.url()).host).toBe('app.powerbi.com')
  return { page: visitor.page, frame }
}

describe.each(looks)('a report at Microsoft on the $size', (look) => {
  test('a report at Microsoft is drawn in its frame, and offers no spreadsheet of the portal', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(look)
    // The registered filter leaves MG out.
    expect((await dataOf(frame)).por_uf?.map(([state]) => state)).toEqual(['RJ', 'SP'])
    await press(page, 'Exportar')
    const dialog = dialogOf(page, 'Exportar')
    await dialog.getByText('use o menu do próprio visual').waitFor()
    expect(await dialog.getByRole('listitem').allTextContents()).toEqual([
      'PDF desta página',
      'PDF do relatório inteiro',
      'Imagem (PNG) desta página',
    ])
    await expectAccessible(page, `export at Microsoft ${look.size}`)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')
    await frame.getByRole('button', { name: 'Mais opções: Custo por estado', exact: true }).press('Enter')
    await frame.getByRole('menuitem').first().waitFor()
    for (const name of ['Exportar dados (XLSX)', 'Criar alerta'])
      expect(await frame.getByRole('menuitem', { name }).count(), name).toBe(0)
  })
})
