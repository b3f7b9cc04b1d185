import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { expectDrawn, waitForRendered } from '../browser/report-frame.ts'
import { looks, settled, visit } from '../browser/visitor.ts'
import { choose, press } from '../pages/back-office.ts'
import { dialog } from '../pages/first-report.ts'
import { type Demo, startFresh } from '../services/demo.ts'
import { spreadsheetOf } from '../stock/spreadsheet.ts'

/* A data file becomes a report in the browser. The tests share one portal, in this order. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

const places = ['Curitiba', 'Londrina', 'Maringá']
const rows = Array.from({ length: 5_000 }, (_, index) => [
  new Date(Date.UTC(2026, index % 9, (index % 28) + 1)),
  places[index % 3] ?? '',
  index % 4 ? 'Pago' : 'Aberto',
  100 + (index % 50) / 4,
  80_000 + (index % 40),
])
const spreadsheet = spreadsheetOf([['Data', 'Município', 'Situação', 'Valor pago', 'CEP'], ...rows])

let demo: Demo
beforeAll(async () => {
  demo = await startFresh({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
}, 120_000)
afterAll(() => demo?.stop())

/** Counts the person's clicks in the portal's pages. */
const countClicks = async (page: Page) => {
  const clicks = { count: 0 }
  const count = () => {
    clicks.count += 1
  }
  await page.exposeFunction('clicked', count)
  await page.addInitScript(() => {
    const { clicked } = window as unknown as { clicked: () => void }
    document.addEventListener('click', ({ isTrusted }) => isTrusted && clicked(), { capture: true })
  })
  return clicks
}

const upload = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, /^Escolher (outro )?arquivo$/)
  await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer })
}

test('an empty portal shows a report of 5,000 rows to a person after at most 25 clicks', {
  timeout: 240_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  const { page, main } = visitor
  const clicks = await countClicks(page)
  await visitor.goto('/')
  await visitor.signIn(admin)

  const openScreen = async (section: string, name: RegExp) => {
    await press(page, 'Configurações')
    await press(page, section)
    await page.getByRole('link', { name }).last().click()
  }
  await openScreen('Usuários', /^(Usuários|Cadastrar).*(Cadastrar|Usuários)$/)
  await page.getByLabel('Nome do usuário').fill('Clara Nunes')
  await page.getByLabel('E-mail').fill('clara@empresa.exemplo')
  await page.getByLabel('Gerar senha automaticamente').check()
  const password = await page.getByLabel('Senha', { exact: true }).inputValue()
  await press(page, 'Gravar')
  await dialog(page, 'Usuário cadastrado!').getByRole('button', { name: 'Fechar' }).click()

  await openScreen('Relatórios', /^Publicar relatórios$/)
  await main.getByText('ou solte-o aqui').waitFor()
  await settled(visitor, 'publishing, without a file')
  await upload(page, 'Atendimentos 2026.xlsx', spreadsheet)
  await main.getByText('Atendimentos 2026.xlsx').waitFor()
  await main.getByText('5.000 linhas').first().waitFor()
  const types = main.getByRole('region', { name: 'Primeiras linhas' })
  for (const [column, type] of [
    ['Data', 'DATA'],
    ['Município', 'TEXTO'],
    ['Valor pago', 'NUMERO'],
    ['CEP', 'INTEIRO'],
  ])
    expect(await types.getByLabel(`Tipo de ${column}`).inputValue()).toBe(type)
  const name = main.getByLabel('Nome do relatório')
  await name.fill('')
  await name.pressSequentially('Atendimentos por município')
  await types.getByLabel('Tipo de CEP').selectOption('TEXTO')
  await expect.poll(() => types.getByLabel('Tipo de CEP').inputValue()).toBe('TEXTO')
  expect(await name.inputValue()).toBe('Atendimentos por município')
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await settled(visitor, 'publishing')
  await choose(page, 'Pessoas', 'Clara Nunes')
  await press(main, 'Publicar')
  await main.getByText('Relatório publicado!').waitFor()
  await main.getByText('1 pessoa pode abri-lo').waitFor()
  await settled(visitor, 'published')
  await main.getByRole('link', { name: 'Abrir relatório' }).click()
  await expectDrawn(await waitForRendered(page), 'the published report')
  expect(clicks.count).toBeGreaterThan(8)
  expect(clicks.count).toBeLessThanOrEqual(25)
  await visitor.close()

  const clara = await visit({ portal: demo.portal, ...looks[1] })
  await clara.goto('/')
  await clara.signIn({ email: 'clara@empresa.exemplo', password, name: 'Clara Nunes' })
  // Her password was typed by an administrator.
  await press(clara.page, 'Agora não')
  await clara.main.locator('a[href^="/relatorio-embed/"]').first().click()
  const frame = await waitForRendered(clara.page)
  await frame.getByText('5.000', { exact: true }).first().waitFor()
  await clara.close()
})

test('an author sees errors with their place, corrects them, and goes back to the proposal', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  await upload(page, 'custos.xls', Buffer.from('x'))
  await main.getByText(/O formato XLS é antigo/).waitFor()
  await upload(page, 'custos.csv', Buffer.from('Unidade;Valor\nCentro;1,5\nNorte;2;3\n'))
  await main.getByText('custos.csv: linha 3: 3 campos, e o cabeçalho tem 2').waitFor()
  await upload(
    page,
    'custos.csv',
    Buffer.from('Unidade;Valor\nCentro;R$ 1,50\nNorte;R$ 2,00\nCentro;R$ 3,00\n'),
  )
  await main.getByText('em reais').waitFor()
  await main.getByText('Definição do relatório').click()
  const editor = main.getByLabel('Definição do relatório')
  const proposal = await editor.inputValue()
  await editor.fill(proposal.replace('sum(Valor)', 'sum(Custo)'))
  await main.getByText(/a coluna Custo não existe.*\(linha \d+, coluna \d+\)/).waitFor()
  expect(await main.getByRole('button', { name: 'Publicar' }).isDisabled()).toBe(true)
  await settled(visitor, 'publishing with an error')
  // The button opens the definition again.
  await main.getByText('Definição do relatório').click()
  await editor.waitFor({ state: 'detached' })
  await press(main, 'Ir para a linha')
  const selected = await editor.evaluate((field: HTMLTextAreaElement) =>
    field.value.slice(field.selectionStart, field.selectionEnd),
  )
  expect(selected).toContain('sum(Custo)')
  await press(main, 'Voltar à proposta')
  await main.getByText('Conferido: nenhum erro.').waitFor()
  expect(await editor.inputValue()).toBe(proposal)

  await main.getByLabel('Tipo de Unidade').selectOption('DATA')
  await main.getByText(/linha 2: coluna Unidade: "Centro" não é uma data/).waitFor()
  expect(await main.getByLabel('Tipo de Unidade').inputValue()).toBe('TEXTO')
  await expect.poll(() => main.getByLabel('Workspace', { exact: true }).inputValue()).not.toBe('novo')
  await press(main, 'Publicar')
  await main.getByText('só administradores o veem por enquanto').waitFor()
  await visitor.close()
})
