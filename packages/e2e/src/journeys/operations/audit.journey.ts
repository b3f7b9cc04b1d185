import { connectionsApi, type Workspace, workspacesApi } from '@bi-manager/contract'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { looks, settled } from '../../browser/visitor.ts'
import { administrator, choose, dialogOf, download, press } from '../../pages/back-office.ts'
import { demoConnection, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
let api: Awaited<ReturnType<typeof signedInClient>>
let workspace: Workspace

beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
  const [connection] = await api.call(connectionsApi.list, { query: { busca: demoConnection } })
  workspace = await api.call(workspacesApi.create, {
    body: {
      nomeGrupo: 'Jornada da auditoria',
      idGrupo: crypto.randomUUID(),
      idPowerBi: connection?.idPowerBI ?? 0,
    },
  })
  await api.call(workspacesApi.update, {
    params: { id: workspace.idGrupoRelatorio },
    body: { ...workspace, nomeGrupo: 'Jornada da auditoria, renomeada' },
  })
})
afterAll(async () => {
  await api.call(workspacesApi.remove, { params: { id: workspace.idGrupoRelatorio } })
})

describe('the audit trail', () => {
  test('an administrator finds, shows, links and exports an action', { timeout: 120_000 }, async () => {
    const visitor = await administrator('/saidibi')
    const { page, main } = visitor
    await press(page, 'Configurações')
    await press(page, 'Segurança')
    await page.getByRole('link', { name: 'Auditoria' }).last().click()
    await main.getByRole('heading', { name: 'Auditoria', exact: true }).waitFor()
    await main
      .getByRole('button', { name: /, ver detalhes$/ })
      .first()
      .waitFor()
    await settled(visitor, 'audit')

    await choose(page, 'Quem', people.admin.name)
    await main.getByLabel('O quê').selectOption({ label: 'Editou um workspace' })
    await main.getByLabel('Objeto', { exact: true }).selectOption({ label: 'Workspace' })
    await choose(page, 'Nome', 'Jornada da auditoria, renomeada')
    await expect
      .poll(() => new URL(page.url()).search)
      .toContain(`acao=workspace.updated&objeto=workspace%3A${workspace.idGrupoRelatorio}`)
    await main.getByText('1–1 de 1', { exact: true }).waitFor()
    await page.reload()
    await main.getByText(`Workspace nº ${workspace.idGrupoRelatorio}`).filter({ visible: true }).waitFor()
    await main.getByRole('link', { name: 'Jornada da auditoria, renomeada' }).waitFor()
    await expect
      .poll(() => main.getByRole('combobox', { name: 'Nome' }).inputValue())
      .toBe('Jornada da auditoria, renomeada')
    expect(await main.getByLabel('Nº').inputValue()).toBe(String(workspace.idGrupoRelatorio))
    await main
      .getByText(/^\d\d\/\d\d\/\d{4} \d\d:\d\d:\d\d$/)
      .first()
      .waitFor()
    await expect.poll(() => main.getByRole('combobox', { name: 'Quem' }).inputValue()).toBe(people.admin.name)
    await settled(visitor, 'audit narrowed')

    await press(main, 'Editou um workspace, ver detalhes')
    const details = dialogOf(page, 'Editou um workspace')
    await details.getByText('Nome do Workspace').waitFor()
    await details.getByText('Jornada da auditoria', { exact: true }).waitFor()
    await details.getByRole('cell', { name: 'Jornada da auditoria, renomeada' }).waitFor()
    await details.getByRole('link', { name: 'Jornada da auditoria, renomeada' }).waitFor()
    await press(details, 'Ver JSON')
    await details.getByText('"nomeGrupo": "Jornada da auditoria"').waitFor()
    await settled(visitor, 'audit details')
    await page.keyboard.press('Escape')
    await details.waitFor({ state: 'hidden' })

    const file = await download(main, 'Exportar CSV')
    expect(file.name).toBe('auditoria.csv')
    const lines = file.bytes.toString().trim().split('\r\n')
    expect(lines).toHaveLength(2)
    expect(lines[1]).toContain(`;Marina Alves;`)
    expect(lines[1]).toContain(
      `;Editou um workspace;workspace.updated;workspace:${workspace.idGrupoRelatorio};"Jornada da auditoria, renomeada";`,
    )

    await press(main, 'Editou um workspace, ver detalhes')
    await press(details, 'Tudo deste objeto')
    await details.waitFor({ state: 'hidden' })
    await page.goBack()
    const [from, until] = ['De', 'Até'].map((label) => main.getByLabel(label, { exact: true }))
    await from?.fill('01/02/2100')
    await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    await from?.fill('31022026')
    await main.getByText('Informe uma data válida.').waitFor()
    await expect.poll(() => new URL(page.url()).searchParams.get('de')).toBeNull()
    await from?.fill('01/02/2100')
    await until?.fill('01/01/2100')
    await main.getByText('A data inicial é posterior à final.').waitFor()
    await main.getByText('Corrija o período para ver os registros.').waitFor()
    await settled(visitor, 'audit, period the wrong way round')
    await until?.fill('01/03/2100')
    await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    expect(new URL(page.url()).searchParams.get('de')).toBe('2100-02-01')
    await settled(visitor, 'audit, nothing found')
    await press(main, 'Limpar filtros')
    await main
      .getByRole('button', { name: /, ver detalhes$/ })
      .first()
      .waitFor()
    expect(await main.getByLabel('De', { exact: true }).inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
    // Other journeys add entries at the same time.
    await main.getByLabel('O quê').selectOption({ label: 'Exportou a auditoria' })
    await main.getByRole('button', { name: 'Exportou a auditoria, ver detalhes' }).first().waitFor()
    await visitor.close()
  })
})

test("the phone's menu leads to the audit, where an entry opens", { timeout: 60_000 }, async () => {
  const visitor = await administrator('/saidibi', looks[1])
  const { page } = visitor
  await press(page, 'Abrir menu')
  await page.getByRole('link', { name: 'Auditoria' }).last().click()
  const entry = page
    .getByRole('main')
    .getByRole('button', { name: /, ver detalhes$/ })
    .first()
  await entry.click()
  await page.getByRole('dialog').getByRole('button', { name: 'Ver JSON' }).waitFor()
  await visitor.close()
})

test('a USER cannot open the audit, and the refused attempt is recorded', { timeout: 60_000 }, async () => {
  const ana = await signedInClient(portal, people.ana)
  await expect(ana.call(workspacesApi.list, { query: {} })).rejects.toMatchObject({ status: 403 })
  const visitor = await administrator('/auditoria?acao=access.refused')
  const { page } = visitor
  const row = page.getByRole('row').filter({ hasText: people.ana.name }).first()
  await row.getByText('GET /api/usuarios/workspace').waitFor()
  await visitor.close()
})
