import { auditApi, usageApi, usersApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { dataOf, settled as frameSettled, waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { openAndAwaitView } from '../../browser/within-portal.ts'
import { administrator, download, press, unfold } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/* A demo of its own: other journeys open reports too. */

type Report = ReturnType<typeof reportsOf>[number]

let demo: Demo
let api: Awaited<ReturnType<typeof signedInClient>>
let report: Report
let idHelena: number
/** What Helena, whose rows are those of one operator, saw on the report's first page. */
let rowsOfHelena: Awaited<ReturnType<typeof dataOf>>
let rowsOfAdmin: typeof rowsOfHelena
let pagesOpened = 0
beforeAll(async () => {
  demo = await startDemo({}, inject('demoData'))
  const { portal } = demo
  api = await signedInClient(portal, people.admin)
  const asHelena = await signedInClient(portal, people.helena)
  const reports = reportsOf(await asHelena.menu())
  report = reports.find(({ name }) => name === 'Sinistralidade') ?? (reports[0] as Report)
  const [helena] = await api.call(usersApi.list, { query: { busca: people.helena.name } })
  idHelena = helena?.idUsuario ?? 0
  const { page, enter, close } = await visit({ portal })
  await enter(people.admin, report.path)
  rowsOfAdmin = await rowsOf(page)
  await close()
}, 180_000)
afterAll(() => demo?.stop())

const viewsOf = async () => {
  const rows = await api.call(usageApi.list, { query: { por: 'relatorio', dias: 7 } })
  return rows.find(({ id }) => id === report.idRelatorio)?.visualizacoes ?? 0
}

/** Returns the rows of the open report's page, once all have loaded. */
const rowsOf = async (page: Page) => {
  const frame = await waitForRendered(page)
  await frameSettled(frame)
  return dataOf(frame)
}

const table = (page: Page) => page.getByLabel('Tabela', { exact: true })

describe.each(looks)('usage at $size, $colorScheme', (look) => {
  const options = () => ({ portal: demo.portal, ...look })

  test('a person opens a report and changes its page; the ADMIN sees both, the person their own', async () => {
    const before = await viewsOf()
    const reader = await visit(options())
    await reader.enter(people.helena, '/saidibi')
    await openAndAwaitView(reader.page, () => reader.goto(report.path))
    const sent = reader.page.waitForResponse((answer) => answer.url().endsWith('/uso'))
    rowsOfHelena = await rowsOf(reader.page)
    const frame = await waitForRendered(reader.page)
    const tab = frame.getByRole('tab').nth(1)
    const pageName = (await tab.textContent()) ?? ''
    await tab.click()
    expect((await sent).status()).toBe(204)
    expect(await viewsOf()).toBe(before + 1)
    pagesOpened += 1

    await reader.goto('/meu-perfil')
    await reader.main.getByRole('link', { name: /Meu uso/ }).click()
    await reader.main.getByRole('heading', { name: 'Meu uso' }).waitFor()
    await reader.main
      .getByRole('rowheader', { name: new RegExp(report.name) })
      .first()
      .waitFor()
    await settled(reader, 'own usage')
    expect(String((await download(reader.page, 'Exportar CSV')).bytes)).toContain(report.name)
    await reader.close()

    const visitor = await administrator('/uso?dias=7', options())
    const { page, main } = visitor
    await main.getByRole('heading', { name: 'Uso', exact: true }).waitFor()
    await main.getByText(report.name, { exact: true }).first().waitFor()
    await settled(visitor, 'usage by report')
    await main.getByText('Ver em números').click()
    await settled(visitor, 'usage in numbers')

    await table(page).selectOption('Páginas mais abertas')
    const opened = main.locator('tr, li').filter({ hasText: pageName }).filter({ hasText: report.name })
    await opened.getByText(String(pagesOpened), { exact: true }).filter({ visible: true }).waitFor()
    await settled(visitor, 'pages of reports')
    for (const name of ['Filtros mais usados', 'Exportações mais pedidas']) {
      await table(page).selectOption(name)
      await main.getByText('Nada no período.').waitFor()
    }
    await table(page).selectOption('Pessoas')
    await page.getByLabel('Buscar pessoa').fill('helena du')
    await main.getByText(people.helena.email).first().waitFor()
    expect(page.url()).toContain('ver=pessoas')
    const tools = main.getByRole('region', { name: 'Uso', exact: true })
    await unfold(tools, look)
    const csv = await download(tools, 'Exportar CSV')
    expect([csv.name, String(csv.bytes).includes(people.helena.email)]).toEqual([
      'uso-por-pessoa-7-dias.csv',
      true,
    ])
    await table(page).selectOption('Relatórios sem uso')
    await page.getByLabel('Sem visualizações há').selectOption('7 dias')
    await main.getByRole('region', { name: 'Relatórios sem uso' }).waitFor()
    await settled(visitor, 'unused reports')
    await table(page).selectOption('Pessoas que nunca entraram')
    await main.getByRole('region', { name: 'Pessoas que nunca entraram' }).waitFor()
    await settled(visitor, 'people who never signed in')
    await visitor.close()
  })

  test('an ADMIN sees a report as another person: marked, audited, and no view', async () => {
    const before = await viewsOf()
    const visitor = await administrator(`/permissoes/ver-como/${idHelena}`, options())
    const { page, main } = visitor
    const menu = main.getByRole('region', { name: 'Relatórios Gerenciais' })
    const closed = menu.getByRole('button', { expanded: false })
    await closed.first().waitFor()
    while ((await closed.count()) > 0) await closed.first().click()
    const views: string[] = []
    page.on('request', (request) => {
      if (/\/(visualizacao|uso|visoes|embed)$/.test(new URL(request.url()).pathname))
        views.push(request.url())
    })
    await menu.getByRole('link', { name: `Abrir como esta pessoa: ${report.name}` }).click()
    await main.getByText('Você está vendo este relatório como Helena Duarte.').waitFor()
    await waitForRendered(page)
    await settled(visitor, 'report as another person')
    const shown = main.frameLocator('[data-state="renderizado"] iframe')
    const frame = await waitForRendered(page)
    await expect.poll(() => dataOf(frame)).toEqual(rowsOfHelena)
    expect(rowsOfHelena).not.toEqual(rowsOfAdmin)
    await shown.getByRole('heading').first().waitFor()
    // Menus of visuals export their data.
    expect(await shown.locator('button.more').filter({ visible: true }).count()).toBe(0)
    for (const name of ['Exportar', 'Imprimir', 'Copiar link', 'Pôr nos favoritos', 'Tela cheia'])
      expect(await main.getByRole('button', { name, exact: true }).count(), name).toBe(0)
    await press(main, 'Atualizar')
    await main.getByText('Relatório atualizado.').waitFor()
    await main.getByRole('link', { name: 'Sair desta visão' }).click()
    await main.getByRole('heading', { name: 'Ver como Helena Duarte' }).waitFor()
    expect(views).toEqual([])
    expect(await viewsOf()).toBe(before)
    const [line] = await api.call(auditApi.list, {
      query: { acao: 'report.viewed-as', pagina: 1, tamanho: 1 },
    })
    expect(line).toMatchObject({
      nomeUsuario: people.admin.name,
      objeto: `usuario:${idHelena}`,
      detalhes: { idRelatorio: report.idRelatorio },
    })
    await visitor.close()
  })
})

test('an empty visual names the rule to an ADMIN, who gets a link to the missing field', {
  timeout: 120_000,
}, async () => {
  const params = { id: idHelena }
  const { identidadeRls } = await api.call(usersApi.get, { params })
  await api.call(usersApi.update, { params, body: { identidadeRls: null } })
  const visitor = await administrator(
    `/permissoes/ver-como/${idHelena}/${report.groupId}/${report.reportId}`,
    { portal: demo.portal },
  )
  const { page, main } = visitor
  const frame = await waitForRendered(page)
  const named = /^A regra de linha “Operadora” não deixa nenhuma linha para helena@demo.local, que não tem/
  await frame.getByText(named).first().waitFor()
  await main.getByText(/Identidade de segurança, que falta no cadastro desta pessoa/).waitFor()
  await settled(visitor, 'report without rows as another person')
  await main.getByRole('link', { name: 'Abrir o cadastro da pessoa' }).click()
  await page.waitForURL((url) => url.pathname === `/cadastrar-usuario/${idHelena}`)
  await visitor.close()

  const reader = await visit({ portal: demo.portal })
  await reader.enter(people.helena, report.path)
  const own = await waitForRendered(reader.page)
  await own
    .getByText(/^As linhas dependem da sua identidade de segurança/)
    .first()
    .waitFor()
  expect(await own.getByText('“Operadora”').count()).toBe(0)
  await reader.close()
  await api.call(usersApi.update, { params, body: { identidadeRls } })
})

test('a report is not opened as a blocked person, and the page says why', async () => {
  const visitor = await administrator('/saidibi', { portal: demo.portal })
  const email = `${crypto.randomUUID()}@exemplo.com.br`
  const person = await api.call(usersApi.create, {
    body: { nomeUsuario: 'Pessoa Bloqueada', emailUsuario: email, senhaUsuario: 'Girassol de inverno 58' },
  })
  const params = { id: person.idUsuario }
  await api.call(usersApi.update, { params, body: { situacao: 'BLOQUEADO' } })
  visitor.expectComplaint(/409/)
  await visitor.goto(`/permissoes/ver-como/${person.idUsuario}/${report.groupId}/${report.reportId}`)
  await visitor.main.getByText('Esta pessoa está bloqueada: ela não consegue abrir relatórios.').waitFor()
  await settled(visitor, 'report as a blocked person')
  await api.call(usersApi.remove, { params })
  await visitor.close()
})

test('a USER can open neither the usage nor a report as another person', async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(people.ana, '/saidibi')
  for (const path of ['/uso', `/permissoes/ver-como/1/${report.groupId}/${report.reportId}`]) {
    await visitor.goto(path)
    await visitor.page
      .getByText(/permissão/i)
      .first()
      .waitFor()
  }
  await visitor.close()
})
