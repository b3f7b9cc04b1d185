import {
  type Report,
  reportRegistrationsApi,
  usersApi,
  type Workspace,
  workspacesApi,
} from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectReadable, looks, settled, visit } from '../../browser/visitor.ts'
import {
  administrator,
  choose,
  dialogOf,
  download,
  expectTexts,
  press,
  unfold,
} from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
let api: Awaited<ReturnType<typeof signedInClient>>
/** The first registered report of the demo and its workspace. */
let known: { report: Report; workspace: Workspace }
/** A workspace whose group the connection cannot see, so that the live list fails. */
let unseen: Workspace

beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
  const [report] = await api.call(reportRegistrationsApi.list, { query: { busca: 'Sinistralidade' } })
  if (!report) throw new Error('the demo has no report')
  const workspace = await api.call(workspacesApi.get, { params: { id: report.idGrupoRelatorio } })
  known = { report, workspace }
  unseen = await api.call(workspacesApi.create, {
    body: {
      nomeGrupo: 'Grupo sem conexão',
      idGrupo: '0f0e0d0c-0b0a-4908-8706-050403020100',
      idPowerBi: workspace.idPowerBi,
    },
  })
})
afterAll(async () => {
  for (const { idRelatorio: id } of await api.call(reportRegistrationsApi.list, { query: { busca: MARK } }))
    await api.call(reportRegistrationsApi.remove, { params: { id } })
  await api.call(workspacesApi.remove, { params: { id: unseen.idGrupoRelatorio } })
})

/** Part of the name of everything these journeys register. */
const MARK = 'Jornada dos relatórios'

const option = (page: Page, name: RegExp | string) => page.getByRole('option', { name }).first()
const search = (page: Page) => page.getByRole('main').getByLabel('Buscar por nome do relatório')
const field = (page: Page, name: string) => page.getByRole('combobox', { name })

const fillForm = async (page: Page, name: string) => {
  await choose(page, 'Grupo Relatório', known.workspace.nomeGrupo)
  await field(page, 'Report').click()
  await option(page, known.report.reportId).click()
  await page.getByLabel('Nome Relatório').fill(name)
  await field(page, 'Operadora Relatório').fill('SANTA_CASA')
}

describe('Relatórios', () => {
  test.each(looks)(
    'the page shows the list on the $size, in the $colorScheme',
    { timeout: 90_000 },
    async (look) => {
      const visitor = await administrator('/relatorio?tamanho=5', look)
      const { page, main } = visitor
      await main.getByRole('heading', { name: 'Relatórios', exact: true }).waitFor()
      await main.getByText(known.report.reportId.slice(0, 8)).first().waitFor()
      await expectTexts(main, [
        'Logo',
        'Nome do relatório',
        'Report ID',
        'Cadastrar Relatórios',
        'Anterior',
        'Próximo',
        ...(look.size === 'desktop' ? ['Ação'] : []),
      ])
      expect(await main.getByRole('img', { name: /^Logo de / }).count()).toBe(5)
      await expectReadable(page, `reports on the ${look.size}`)

      await search(page).fill('nada com este nome')
      await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
      await expectReadable(page, `no reports on the ${look.size}`)
      await main.getByRole('button', { name: 'Limpar busca' }).last().click()

      await unfold(main, look)
      await choose(page, 'Filtrar por workspace', known.workspace.nomeGrupo)
      await page.waitForURL(new RegExp(`idGrupoRelatorio=${known.workspace.idGrupoRelatorio}`))
      await main.getByText(known.report.nomeRelatorio, { exact: true }).waitFor()
      const { length: count } = await api.call(reportRegistrationsApi.list, {
        query: { idGrupoRelatorio: known.workspace.idGrupoRelatorio },
      })
      await main.getByText(`${count} relatórios`, { exact: true }).waitFor()
      await expectReadable(page, `filtered reports on the ${look.size}`)
      await page.reload()
      await main.getByText(known.report.nomeRelatorio, { exact: true }).waitFor()
      await unfold(main, look)
      await expect
        .poll(() => field(page, 'Filtrar por workspace').inputValue())
        .toBe(known.workspace.nomeGrupo)

      expect((await download(main, 'Exportar CSV')).name).toBe('relatorios.csv')

      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await main
        .getByRole('button', { name: `Copiar Report ID de ${known.report.nomeRelatorio}` })
        .first()
        .click()
      await main.getByText('Copiado').first().waitFor()
      expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(known.report.reportId)
      await visitor.close()
    },
  )

  test('the blank form depends on the group, closes its lists and reports faults before sending', {
    timeout: 120_000,
  }, async () => {
    const visitor = await administrator('/RegisterworkspaceRelatorios')
    const { page, main } = visitor
    await main.getByRole('heading', { name: 'Cadastrar relatório', exact: true }).waitFor()
    expect(await main.locator('label').allTextContents()).toEqual([
      'Grupo Relatório',
      'Report',
      'Nome Relatório',
      'Operadora Relatório',
      'Filtro',
      'Papéis de segurança (RLS)',
      'Filtros do painel',
      expect.stringMatching(/^Dados sensíveis/),
      expect.stringMatching(/^Comentários/),
    ])
    await press(main, 'Avançado')
    for (const label of ['Enviar a identidade da pessoa', 'Conjuntos de dados adicionais'])
      await main.locator('label', { hasText: label }).waitFor()
    await settled(visitor, 'rare fields of a report')
    await press(main, 'Avançado')
    await main.getByText(/^Escolha o grupo primeiro/).waitFor()
    await settled(visitor, 'report form')
    // The error of an invalid filter moves the layout: the press on 'Gravar' must still hit.
    await page.getByRole('textbox', { name: /^Filtro/ }).fill('nada')

    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await press(main, 'Gravar')
    const missing = main.getByText('É necessário preencher todos os campos!')
    await missing.waitFor()
    await settled(visitor, 'missing fields')
    await missing.waitFor({ state: 'hidden' })
    expect(sent.filter((url) => url.includes('/relatorio'))).toEqual([])

    // An open list closes on a press on the title or background, and when a text field is focused.
    for (const close of [
      () => main.getByRole('heading', { name: 'Cadastrar relatório' }).click(),
      () => main.click({ position: { x: 3, y: 300 } }),
      () => page.getByLabel('Nome Relatório').focus(),
    ]) {
      await field(page, 'Grupo Relatório').click()
      await option(page, known.workspace.nomeGrupo).waitFor()
      await close()
      await page.getByRole('option').first().waitFor({ state: 'hidden' })
    }

    await field(page, 'Grupo Relatório').fill('nada com este nome')
    await page.getByText('Nenhum resultado encontrado!').waitFor()
    await choose(page, 'Grupo Relatório', known.workspace.nomeGrupo)
    await field(page, 'Report').click()
    const marked = option(page, known.report.reportId)
    await marked.getByText('já cadastrado').waitFor()
    await settled(visitor, 'open list of reports')
    await marked.click()
    expect(await page.getByLabel('Nome Relatório').inputValue()).not.toBe('')
    await field(page, 'Report').fill('nada com este nome')
    await page.getByText('Nenhum resultado encontrado!').waitFor()
    await page.keyboard.press('Tab')

    await page.getByRole('textbox', { name: /^Filtro/ }).fill("Sinistralidade/operadora eq 'CNU")
    await page.getByText(/^Filtro inválido: /).waitFor()
    await settled(visitor, 'faulty filter')
    await page.getByRole('textbox', { name: /^Filtro/ }).fill("Sinistralidade/operadora eq 'CNU'")
    await page.getByText('Filtro válido, sobre Sinistralidade/operadora.').waitFor()

    await page.getByLabel('Filtros do painel').selectOption('Os que eu informar aqui')
    await page.getByLabel('Tabela').fill('Sinistralidade')
    await page.getByLabel('Coluna').fill('uf')
    await page.getByLabel('Rótulo').fill('Estado')
    await page.getByLabel('Valores', { exact: true }).fill('PR = Paraná\nSC')
    await page.getByLabel('Padrão').selectOption('Paraná')
    await settled(visitor, 'filters of the panel')

    // Leaving a changed form asks first.
    await main.getByRole('link', { name: 'Cancelar' }).click()
    await page.getByRole('dialog').waitFor()
    await visitor.close()
  })

  test('an administrator registers, shows, edits with a logo, and deletes a report', {
    timeout: 180_000,
  }, async () => {
    const name = `${MARK}, um`
    const visitor = await administrator('/RegisterworkspaceRelatorios')
    const { page, main } = visitor
    const dialog = page.getByRole('dialog')
    await fillForm(page, name)
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório cadastrado!').waitFor()
    await expectTexts(dialog, ['Relatório cadastrado!', 'Fechar', 'Cadastrar +1', 'Enviar logo'])
    await settled(visitor, 'report created')
    await press(dialog, 'Cadastrar +1')
    await dialog.waitFor({ state: 'hidden' })
    expect(await page.getByLabel('Nome Relatório').inputValue()).toBe('')
    expect(new URL(page.url()).pathname).toBe('/RegisterworkspaceRelatorios')

    // An id typed by hand, in an unreadable group: the fault is shown, and saving works.
    await choose(page, 'Grupo Relatório', unseen.nomeGrupo)
    await main.getByText(/^Os relatórios deste grupo não puderam ser lidos: /).waitFor()
    visitor.expectComplaint(/grupos\/0f0e0d0c-[^/]+\/relatorios/)
    await settled(visitor, 'unreadable group')
    const typed = '11111111-2222-4333-8444-555555555555'
    await choose(page, 'Report', typed, `Usar “${typed}”`)
    await page.getByLabel('Nome Relatório').fill(`${name}, à mão`)
    await field(page, 'Operadora Relatório').fill('Outra operadora')
    // Without Enter: the click on 'Gravar' leaves the field.
    await field(page, 'Papéis de segurança (RLS)').fill('Operadora')
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório cadastrado!').waitFor()
    await press(dialog, 'Fechar')
    await page.waitForURL((url) => url.pathname === '/relatorio')
    const [byHand] = await api.call(reportRegistrationsApi.list, { query: { busca: `${name}, à mão` } })
    expect(byHand).toMatchObject({ reportId: typed, papeisRls: ['Operadora'], filtro: null })

    await search(page).fill(name)
    await main.getByRole('link', { name: `Editar ${name}`, exact: true }).click()
    await main.getByRole('heading', { name: 'Editar relatório' }).waitFor()
    await main.getByRole('link', { name: 'Abrir relatório' }).waitFor()
    await main.getByRole('link', { name: 'Quem pode ver' }).waitFor()

    const logo = main.getByRole('region', { name: 'Logo' })
    await logo.getByRole('img', { name: 'Logo de SANTA_CASA' }).waitFor()
    const files = logo.locator('input[type="file"]')
    await files.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: Buffer.from('nada') })
    await logo.getByText('A imagem está incompleta ou corrompida. Salve-a de novo e envie.').waitFor()
    await files.setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer: await drawnPicture(page) })
    await logo.getByText('Logo enviado.').waitFor()
    const image = logo.locator('img')
    await expect.poll(() => image.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBe(128)
    await settled(visitor, 'report with logo')
    // The logo upload raised the record's version: a later save is no conflict.
    await page.getByLabel('Nome Relatório').fill(`${name}!`)
    await press(page, 'Gravar')
    await dialogOf(page, 'Relatório editado!').waitFor()
    await expectTexts(dialog, ['Relatório editado!', 'Fechar'])
    expect(await dialog.getByText('Cadastrar +1').count()).toBe(0)
    await press(dialog, 'Fechar')
    await page.waitForURL((url) => url.pathname === '/relatorio')

    await search(page).fill(`${name}!`)
    await main.getByText(`${name}!`, { exact: true }).waitFor()
    await expect
      .poll(() =>
        main
          .locator('img')
          .first()
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBe(128)
    await settled(visitor, 'reports with a logo')
    await main.getByRole('link', { name: `Editar ${name}!` }).click()
    await press(logo, 'Remover logo')
    await logo.getByText('Logo removido.').waitFor()
    await logo.getByRole('button', { name: 'Enviar imagem' }).waitFor()
    await main.getByRole('link', { name: 'Cancelar' }).click()

    await search(page).fill(`${name}!`)
    await press(main, `Excluir ${name}!`)
    await dialogOf(page, 'Deseja mesmo excluir esse relatório?').waitFor()
    await expectTexts(dialog, ['Deseja mesmo excluir esse relatório?', 'Não, cancelar', 'Sim, excluir'])
    await settled(visitor, 'delete report')
    await press(dialog, 'Sim, excluir')
    await dialogOf(page, 'Relatório excluído!').waitFor()
    await expectTexts(dialog, ['Relatório excluído!', 'Fechar'])
    await press(dialog, 'Fechar')
    await expect.poll(() => new URL(page.url()).search).toBe('')
    expect(await api.call(reportRegistrationsApi.list, { query: { busca: `${name}!` } })).toEqual([])
    await visitor.close()
  })

  test("the page explains who can view a report, and shows another user's menu", {
    timeout: 120_000,
  }, async () => {
    const visitor = await administrator(`/RegisterworkspaceRelatorios/${known.report.idRelatorio}`)
    const { page, main } = visitor
    await main.getByRole('link', { name: 'Quem pode ver' }).click()
    await main.getByRole('heading', { name: 'Por que este usuário vê este relatório?' }).waitFor()
    await expect.poll(() => field(page, 'Relatório').inputValue()).toBe(known.report.nomeRelatorio)
    await main.getByText('Escolha agora o usuário.').waitFor()
    await settled(visitor, 'explainer, one chosen')

    await choose(page, 'Usuário', 'marina', /Marina Alves/)
    await main.getByRole('heading', { name: `Marina Alves vê “${known.report.nomeRelatorio}”` }).waitFor()
    await main.getByText('É administrador: vê todos os relatórios.').waitFor()
    await settled(visitor, 'explainer')

    const [ana] = await api.call(usersApi.list, { query: { busca: 'Ana Martins' } })
    const granted = (await (await signedInClient(portal, people.ana)).menu()).flatMap(
      ({ relatorios }) => relatorios,
    )
    const all = await api.call(reportRegistrationsApi.list)
    const refused = all.find(({ idRelatorio }) => granted.every((one) => one.idRelatorio !== idRelatorio))
    await visitor.goto(`/permissoes/porque?usuario=${ana?.idUsuario}&relatorio=${refused?.idRelatorio}`)
    await main.getByRole('heading', { name: `Ana Martins não vê “${refused?.nomeRelatorio}”` }).waitFor()
    await main.getByRole('heading', { name: 'O que falta' }).waitFor()
    expect(await main.getByRole('link', { name: 'Liberar para esta pessoa' }).getAttribute('href')).toBe(
      `/editrelatorio/${ana?.idUsuario}`,
    )
    await settled(visitor, 'explainer, refused')

    await main.getByRole('link', { name: 'Ver o menu como esta pessoa' }).click()
    await main.getByRole('heading', { name: 'Ver como Ana Martins' }).waitFor()
    await main.getByText(/Tudo fica registrado na auditoria/).waitFor()
    const menu = main.getByRole('region', { name: 'Relatórios Gerenciais' })
    const closed = menu.getByRole('button', { expanded: false })
    await closed.first().waitFor()
    while ((await closed.count()) > 0) await closed.first().click()
    for (const { nome } of granted) await menu.getByText(nome, { exact: true }).waitFor()
    const addresses = await menu
      .getByRole('link')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href')))
    const reasons = addresses.filter((address) => address?.startsWith('/permissoes/porque?usuario='))
    const openings = addresses.filter((address) => address?.startsWith('/permissoes/ver-como/'))
    expect([reasons.length, openings.length, addresses.length]).toEqual([
      granted.length,
      granted.length,
      2 * granted.length,
    ])
    await settled(visitor, 'menu as another user')
    await visitor.close()
  })
})

test("a USER can open neither the explanation nor another user's menu", async () => {
  const visitor = await visit()
  await visitor.enter(people.ana, '/saidibi')
  for (const path of ['/permissoes/porque', '/permissoes/ver-como/1']) {
    await visitor.goto(path)
    await visitor.page
      .getByText(/permissão/i)
      .first()
      .waitFor()
    expect(await visitor.page.getByText('Por que este usuário vê este relatório?').count()).toBe(0)
  }
  await visitor.close()
})

/** Returns a 600 × 300 PNG drawn by the browser. */
const drawnPicture = async (page: Page): Promise<Buffer> => {
  const address = await page.evaluate(() => {
    const canvas = document.createElement('canvas')
    Object.assign(canvas, { width: 600, height: 300 })
    const context = canvas.getContext('2d')
    if (!context) throw new Error('no canvas')
    context.fillStyle = '#b42318'
    context.fillRect(0, 0, 600, 300)
    context.fillStyle = '#fff'
    context.fillRect(60, 120, 480, 60)
    return canvas.toDataURL('image/png')
  })
  return Buffer.from(address.slice(address.indexOf(',') + 1), 'base64')
}
