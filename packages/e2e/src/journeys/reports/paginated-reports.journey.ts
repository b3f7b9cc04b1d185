import { readFile } from 'node:fs/promises'
import { refusals, type SimulatedTenant } from '@bi-manager/server/test/stand-ins/microsoft-tenant'
import { exportedFiles } from '@bi-manager/server/test/stand-ins/provider-stand-in'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectReadable, type Look, looks, settled, visit } from '../../browser/visitor.ts'
import { choose, dialogOf, press } from '../../pages/back-office.ts'
import { chooseAction } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { startWithTenant } from '../../services/microsoft.ts'
import { registerConnection } from '../../services/microsoft-registrations.ts'

/*
 * A paginated report of a simulated tenant, whose page emits neither `loaded` nor `rendered`. The
 * tests share one portal, in this order.
 */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }
const notas = {
  id: crypto.randomUUID(),
  name: 'Notas fiscais',
  reportType: 'PaginatedReport',
  datasetId: null,
}
const tenant: SimulatedTenant = {
  workspaces: [{ id: crypto.randomUUID(), name: 'Fiscal', reports: [notas] }],
}

let started: Awaited<ReturnType<typeof startWithTenant>>
let api: Awaited<ReturnType<typeof signedInClient>>
beforeAll(async () => {
  started = await startWithTenant(tenant, { ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
  api = await signedInClient(started.demo.portal, admin)
  await registerConnection(api)
}, 120_000)
afterAll(() => started?.stop())

const enter = async (look: Look, path: string) => {
  const visitor = await visit({ portal: started.demo.portal, ...look })
  await visitor.enter(admin, path)
  return visitor
}
const pathOfReport = async (): Promise<string> => {
  const [report] = reportsOf(await api.menu())
  if (!report) throw new Error('the report is not in the menu')
  return report.path
}
/** Opens the report and returns its page, once the viewer shows it. */
const shown = async (page: Page) => {
  await page.locator('[data-state="renderizado"]').waitFor({ timeout: 20_000 })
  return page.frameLocator('iframe')
}
const orders = () =>
  started.provider.seen.filter(({ path }) => path.endsWith('/ExportTo')).map(({ body }) => JSON.parse(body))

test('an ADMIN imports the report and gives it a parameter', { timeout: 180_000 }, async () => {
  const visitor = await enter(looks[0], '/workspace')
  // The first parameter is written wrongly.
  visitor.expectComplaint(/422/)
  const { page, main } = visitor
  await press(main, 'Importar workspaces')
  const dialog = dialogOf(page, 'Importar workspaces')
  await choose(page, 'Power Bi', 'Matriz')
  await dialog.getByRole('checkbox', { name: 'Fiscal' }).check()
  await press(dialog, 'Ver relatórios')
  await dialog.getByText('paginado', { exact: true }).waitFor()
  await dialog.getByRole('checkbox', { name: 'Notas fiscais' }).check()
  await dialog.getByLabel('Operadora para todos').fill('CNU')
  await page.keyboard.press('Escape')
  await press(dialog, 'Importar')
  await dialog.getByText('1 relatório importado!').waitFor()
  await press(dialog, 'Fechar')

  await visitor.goto('/relatorio')
  await page.getByText('paginado', { exact: true }).waitFor()
  await settled(visitor, 'list with a paginated report')
  await page.getByRole('link', { name: 'Editar Notas fiscais' }).click()
  await page.getByText(/^Relatório paginado: tem parâmetros/).waitFor()
  expect(await page.getByRole('textbox', { name: /^Filtro/ }).count()).toBe(0)
  const parameters = page.getByRole('combobox', { name: 'Parâmetros' })
  await parameters.fill('Ano 2026')
  await parameters.press('Enter')
  await press(page, 'Gravar')
  await page.getByText(/^Escreva cada parâmetro como Ano=2026/).waitFor()
  await parameters.press('Backspace')
  await parameters.fill('Ano=2026')
  await parameters.press('Enter')
  await settled(visitor, 'form of a paginated report')
  await press(page, 'Gravar')
  await dialogOf(page, 'Relatório editado!').waitFor()
  await visitor.close()
})

test.each(looks)(
  'a reader chooses a parameter and exports the report, on the $size in the $colorScheme',
  { timeout: 120_000 },
  async (look) => {
    tenant.exports = { runningFor: 1 }
    const visitor = await enter(look, await pathOfReport())
    const { page } = visitor
    const frame = await shown(page)
    await frame.getByText('Notas fiscais com Ano = 2026').waitFor()
    await frame.getByLabel('Ano').fill('2025')
    await frame.getByRole('button', { name: 'Exibir relatório' }).click()
    await frame.getByText('Notas fiscais com Ano = 2025').waitFor()
    for (const name of ['Filtrar Relatórios', 'Visões salvas', 'Atualizar', 'Imprimir'])
      expect(await page.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    // The question counts as use of the capacity, although the answer is not shown.
    await page.waitForFunction(() =>
      performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/dados')),
    )
    expect(await page.getByText(/^Dados de/).count()).toBe(0)
    await page.context().grantPermissions(['clipboard-write'])
    await chooseAction(page, 'Copiar link')
    await page.getByText('Link copiado.').waitFor()

    await press(page, 'Exportar')
    const panel = dialogOf(page, 'Exportar')
    await panel.getByLabel('Ano').fill('2025')
    await expectReadable(page, `export of a paginated report on the ${look.size}`)
    const saving = page.waitForEvent('download')
    await press(panel, 'PDF')
    await panel.getByText(/^Gerando o arquivo…/).waitFor()
    await expectReadable(page, `export under way on the ${look.size}`)
    const file = await saving
    expect(file.suggestedFilename()).toBe('Notas fiscais.pdf')
    expect(await readFile(await file.path())).toEqual(exportedFiles.PDF)
    await panel.getByText('Arquivo salvo nos seus downloads.').waitFor()
    expect(orders().at(-1)).toEqual({
      format: 'PDF',
      paginatedReportConfiguration: { parameterValues: [{ name: 'Ano', value: '2025' }] },
    })

    tenant.exports = { failure: { code: 'rsProcessingAborted' } }
    await press(panel, 'Excel (XLSX)')
    await panel.getByText(/não conseguiu gerar o arquivo \(rsProcessingAborted\)/).waitFor()
    expect(await panel.getByLabel('Ano').inputValue()).toBe('2025')
    await expectReadable(page, `failed export on the ${look.size}`)

    visitor.expectComplaint(/503/)
    tenant.exports = { refusal: refusals.throttled }
    await press(panel, 'PowerPoint (PPTX)')
    await panel.getByText(/O serviço de BI pediu para aguardar/).waitFor()

    tenant.exports = { runningFor: 100 }
    await press(panel, 'CSV')
    await press(panel, 'Cancelar')
    await panel.getByRole('button', { name: 'Word (DOCX)' }).waitFor()
    await visitor.close()
  },
)

test('with fixed parameters, the reader sees no panel and chooses nothing for the file', {
  timeout: 90_000,
}, async () => {
  const [found] = reportsOf(await api.menu())
  const visitor = await enter(looks[1], `/RegisterworkspaceRelatorios/${found?.idRelatorio}`)
  const { page } = visitor
  await page.getByRole('switch', { name: 'Quem abre escolhe os parâmetros' }).uncheck()
  await press(page, 'Gravar')
  await dialogOf(page, 'Relatório editado!').waitFor()
  await visitor.goto(await pathOfReport())
  const frame = await shown(page)
  await frame.getByText('Notas fiscais com Ano = 2026').waitFor()
  expect(await frame.getByLabel('Ano').isVisible()).toBe(false)
  tenant.exports = {}
  await press(page, 'Exportar')
  const panel = dialogOf(page, 'Exportar')
  expect(await panel.getByLabel('Ano').count()).toBe(0)
  const saving = page.waitForEvent('download')
  await press(panel, 'CSV')
  expect(await readFile(await (await saving).path())).toEqual(exportedFiles.CSV)
  expect(orders().at(-1)?.paginatedReportConfiguration).toEqual({
    parameterValues: [{ name: 'Ano', value: '2026' }],
  })
  await visitor.close()
})
