import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  auditApi,
  connectionsApi,
  reportRegistrationsApi,
  responsiblesApi,
  workspacesApi,
} from '@bi-manager/contract'
import { readWorkbook } from '@bi-manager/reports/test/read-workbook'
import type { Browser, Frame, Page } from 'playwright-core'
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
 * Spreadsheets of a report at Microsoft's addresses, which the browser writes. A report service
 * answers there with its own implementation of Power BI's protocol: how Microsoft itself writes
 * values, and which visuals it refuses, is not shown here.
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

const saved = async (page: Page, act: () => Promise<unknown>) => {
  const [download] = await Promise.all([page.waitForEvent('download', { timeout: 60_000 }), act()])
  const sheets = await readWorkbook(await readFile(await download.path()))
  return { name: download.suggestedFilename(), sheets }
}

/** Chooses an entry of the menu of a visual, as Microsoft's page offers it. */
const choose = async (frame: Frame, title: string, entry: string) => {
  await frame.getByRole('button', { name: `Mais opções: ${title}`, exact: true }).press('Enter')
  await frame.getByRole('menuitem', { name: entry }).press('Enter')
}

const factsOf = (sheets: Record<string, unknown[][]>) =>
  Object.fromEntries((sheets.Sobre ?? []).map(([label, fact]) => [label, fact]))

describe.each(looks)('a report at Microsoft on the $size', (look) => {
  test('a report at Microsoft gives the rows of the screen as a spreadsheet, of a page and of a visual', {
    timeout: 120_000,
  }, async () => {
    const { page, frame } = await open(look)
    await press(page, 'Exportar')
    await dialogOf(page, 'Exportar').waitFor()
    await expectAccessible(page, `export at Microsoft ${look.size}`)
    const shown = await dataOf(frame)
    const whole = await saved(page, () => press(page, 'Dados da página (XLSX)'))
    expect(whole.name).toBe('Vendas.xlsx')
    expect(Object.keys(whole.sheets)).toEqual(['Sobre', 'Custo por estado', 'Vendas todas'])
    const [heading, ...rows] = whole.sheets['Custo por estado'] ?? []
    expect(heading).toEqual(['Estado', 'Custo'])
    expect(rows).toEqual([
      ['RJ', 7.25],
      ['SP', 1244.5],
    ])
    expect(rows.map(([state]) => state)).toEqual(shown.por_uf?.map(([state]) => state))
    const [, ...lines] = whole.sheets['Vendas todas'] ?? []
    expect(lines.map(([, ...texts]) => texts)).toEqual([
      // The service itself puts the apostrophe before what a spreadsheet could run.
      ['007', "'=1+1"],
      ['012', '1.234'],
      ['100', '12/05/2026'],
    ])
    expect(lines.map(([month]) => month)).toEqual([
      new Date('2026-05-01'),
      new Date('2026-06-01'),
      new Date('2026-05-01'),
    ])
    expect(factsOf(whole.sheets)).toMatchObject({
      Página: 'Geral',
      'Dados de': expect.any(Date),
      'Exportado em': expect.any(Date),
      'Exportado por': 'Administrador',
      Filtros: 'uf não é MG',
    })
    const refused = 'sem os dados de “Quebrado”: a aba Sobre diz por quê.'
    const dialog = dialogOf(page, 'Exportar')
    await dialog.getByText(refused).waitFor()
    await expectAccessible(page, `exported at Microsoft ${look.size}`)
    await expectNoSidewaysScroll(page)
    await page.keyboard.press('Escape')

    await frame.getByRole('checkbox', { name: 'SP' }).click()
    await expect.poll(async () => (await dataOf(frame)).por_uf?.length).toBe(1)
    const one = await saved(page, () => choose(frame, 'Custo por estado', 'Exportar dados (XLSX)'))
    expect(one.name).toBe('Vendas - Custo por estado.xlsx')
    expect(Object.keys(one.sheets)).toEqual(['Sobre', 'Custo por estado'])
    expect(one.sheets['Custo por estado']?.slice(1)).toEqual([['SP', 1244.5]])
    expect((one.sheets.Sobre ?? []).map(([, fact]) => fact)).toContain('Estado é SP')
    await page.getByText('Planilha salva nos seus downloads.').waitFor()
    expect(await frame.getByRole('menuitem', { name: 'Criar alerta' }).count()).toBe(0)
  })
})

test('every export is in the audit, with what it had', async () => {
  const { call } = await signedInClient(running.portal, admin)
  const entries = await call(auditApi.list, { query: { acao: 'export.requested' } })
  expect(entries.map(({ detalhes }) => detalhes)).toMatchObject([
    { formato: 'XLSX', noNavegador: true, pagina: 'geral', visual: 'por_uf' },
    { formato: 'XLSX', noNavegador: true, pagina: 'geral' },
    { formato: 'XLSX', noNavegador: true, pagina: 'geral', visual: 'por_uf' },
    { formato: 'XLSX', noNavegador: true, pagina: 'geral' },
  ])
})
