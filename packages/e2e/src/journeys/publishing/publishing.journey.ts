import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Zippable, zipSync } from 'fflate'
import type { Locator, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { signInForm } from '../../browser/sign-in.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { choose, press } from '../../pages/back-office.ts'
import { dialog } from '../../pages/first-report.ts'
import { countClicks, upload, uploadAll, waitForPreview } from '../../pages/publishing.ts'
import { type Demo, startFresh } from '../../services/demo.ts'
import { spreadsheetOf } from '../../stock/spreadsheet.ts'

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

const EXAMPLE = fileURLToPath(new URL('../../../../../docs/manual/exemplos/meu-relatorio', import.meta.url))

let demo: Demo
beforeAll(async () => {
  demo = await startFresh({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password })
}, 120_000)
afterAll(() => demo?.stop())

/** The most steps from one control of the page to another, through a report's own ones. */
const MAX_TABS = 120

/** Presses Tab until the element has the focus. */
const reach = async (page: Page, element: Locator): Promise<void> => {
  await element.waitFor()
  for (let count = 0; count < MAX_TABS; count++) {
    if (await element.evaluate((node) => node === document.activeElement)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${element}`)
}

/** Replaces the text of the editor as an author does. */
const write = async (editor: Locator, text: string): Promise<void> => {
  await editor.focus()
  await editor.press('ControlOrMeta+a')
  await editor.page().keyboard.insertText(text)
}

/** The texts of the definition that are in view. */
const linesOf = (editor: Locator) => editor.locator('.cm-line').allInnerTexts()

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
  await main.getByText('ou solte-os aqui').waitFor()
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
  await expectDrawn(await waitForPreview(page), 'the preview')
  await settled(visitor, 'publishing')
  await waitForPreview(page)
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

/** Sends a CSV, and returns the definition that is proposed. */
const uploadCsv = async (page: Page, name: string, text: string): Promise<string> => {
  const answer = page.waitForResponse((response) => response.url().endsWith('/leitura'))
  await upload(page, name, Buffer.from(text))
  return (await (await answer).json()).relatorio
}

const costs = 'Unidade;Valor\nCentro;R$ 1,50\nNorte;R$ 2,00\nCentro;R$ 3,00\n'

test('an author sees errors with their place, corrects them, and goes back to the proposal', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal, ...looks[1] })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  await upload(page, 'custos.xls', Buffer.of(0xd0, 0xcf, 0x11, 0xe0))
  await main.getByText(/custos\.xls: está no formato XLS, que é antigo/).waitFor()
  await upload(page, 'custos.csv', Buffer.from('Unidade;Valor\nCentro;1,5\nNorte;2;3\n'))
  await main.getByText('custos.csv: linha 3: 3 campos, e o cabeçalho tem 2').waitFor()
  const proposal = await uploadCsv(page, 'custos.csv', costs)
  await main.getByText('em reais').waitFor()
  await (await waitForPreview(page)).getByText('R$ 6,50').first().waitFor()
  await main.getByText('Definição do relatório').click()
  const editor = main.getByRole('textbox', { name: 'Definição do relatório' })
  await editor.waitFor()
  await write(editor, proposal.replace('sum(Valor)', 'sum(Custo)'))
  await main.getByText(/a coluna Custo não existe.*\(linha \d+, coluna \d+\)/).waitFor()
  await main.getByText('Como era antes do erro.').waitFor()
  expect(await main.getByRole('button', { name: 'Publicar' }).isDisabled()).toBe(true)
  await settled(visitor, 'publishing with an error')
  // The button opens the definition again.
  await main.getByText('Definição do relatório').click()
  await editor.waitFor({ state: 'detached' })
  await press(main, 'Ir para a linha')
  await main.locator('.cm-lintRange-error').waitFor()
  const selected = await page.evaluate(() => String(getSelection()))
  expect(selected).toContain('sum(Custo)')
  await write(editor, proposal.replace('sum(Valor)', 'max(Valor)'))
  await main.getByText('Conferido: nenhum erro.').waitFor()
  // The other size has a frame of its own.
  const frame = await waitForPreview(page)
  await frame.getByText('R$ 3,00').first().waitFor()
  await press(main, 'Voltar à proposta')
  await frame.getByText('R$ 6,50').first().waitFor()
  await main.getByText('Conferido: nenhum erro.').waitFor()
  // Only the lines in view are in the document.
  await editor.press('ControlOrMeta+Home')
  const beginning = proposal.split('\n').slice(0, 3).join('\n')
  await expect.poll(async () => (await linesOf(editor)).join('\n')).toContain(beginning)

  await main.getByLabel('Tipo de Unidade').selectOption('DATA')
  await main.getByText(/linha 2: coluna Unidade: "Centro" não é uma data/).waitFor()
  expect(await main.getByLabel('Tipo de Unidade').inputValue()).toBe('TEXTO')
  await expect.poll(() => main.getByLabel('Workspace', { exact: true }).inputValue()).not.toBe('novo')
  await press(main, 'Publicar')
  await main.getByText('só administradores o veem por enquanto').waitFor()
  await visitor.close()
})

test('the editor completes types, fields, tables and columns, and Tab leaves it', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  await uploadCsv(page, 'custos.csv', costs)
  await main.getByText('Definição do relatório').click()
  const editor = main.getByRole('textbox', { name: 'Definição do relatório' })
  await editor.waitFor()
  /** Puts the cursor at '|', and completes the beginning of a name. */
  const complete = async (marked: string, beginning: string) => {
    await write(editor, marked.replace('|', ''))
    for (let left = marked.length - 1 - marked.indexOf('|'); left > 0; left--) await editor.press('ArrowLeft')
    await page.keyboard.type(beginning)
    await editor.press('Control+Space')
    const list = main.getByRole('listbox', { name: 'Sugestões' })
    await list.getByRole('option').first().waitFor()
    await settled(visitor, `the suggestions for ${beginning}`)
    await editor.press('Enter')
    await list.waitFor({ state: 'detached' })
    return (await linesOf(editor)).join('')
  }
  const visual = (inner: string) => `{"pages": [{"visuals": [{${inner}}]}]}`
  expect(await complete(visual('"type": "|"'), 'don')).toBe(visual('"type": "donut"'))
  expect(await complete(visual('"|"'), 'subt')).toBe(visual('"subtitle": ""'))
  const query = (text: string) => visual(`"query": "${text}"`)
  expect(await complete(query('SELECT | FROM x'), 'Uni')).toBe(query('SELECT Unidade FROM x'))
  expect(await complete(query('SELECT 1 FROM |'), 'cus')).toBe(query('SELECT 1 FROM custos'))
  await editor.press('Tab')
  expect(await page.evaluate(() => document.activeElement?.closest('.cm-editor') ?? null)).toBeNull()
  await visitor.close()
})

test('several files become tables of one report', { timeout: 120_000 }, async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  const [, proposal] = await Promise.all([
    uploadAll(page, {
      'gastos.csv': Buffer.from(costs),
      'cidades.csv': Buffer.from('Unidade;Cidade\nCentro;Curitiba\nNorte;Londrina\n'),
    }),
    page.waitForResponse((response) => response.url().endsWith('/leitura')).then((answer) => answer.json()),
  ])
  await main.getByRole('region', { name: 'Primeiras linhas de cidades.csv' }).getByText('Curitiba').waitFor()
  await main.getByText('Definição do relatório').click()
  const editor = main.getByRole('textbox', { name: 'Definição do relatório' })
  await editor.waitFor()
  const joined = "FROM gastos JOIN cidades USING (Unidade) WHERE Cidade = 'Londrina'"
  await write(editor, proposal.relatorio.replaceAll('FROM gastos', joined))
  // The preview of the proposal may still be there, and its frame is then replaced.
  const showsSum = async () => (await waitForPreview(page)).getByText('R$ 2,00').first().isVisible()
  await expect.poll(() => showsSum().catch(() => false), { timeout: 40_000 }).toBe(true)
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await settled(visitor, 'publishing several files')
  await press(main, 'Publicar')
  await main.getByText('Relatório publicado!').waitFor()
  await visitor.close()
})

test('a folder with definitions is checked with file, line and position, and published', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  const chooser = page.waitForEvent('filechooser')
  await press(page, 'Escolher pasta')
  const broken = await mkdtemp(join(tmpdir(), 'bi-manager-folder-'))
  onTestFinished(() => rm(broken, { recursive: true }))
  await cp(EXAMPLE, join(broken, 'meu-relatorio'), { recursive: true })
  const file = join(broken, 'meu-relatorio/minha-area/atendimentos.json')
  const text = await readFile(file, 'utf8')
  await writeFile(file, text.replace('sum(custo)', 'sum(custos)'))
  await (await chooser).setFiles(join(broken, 'meu-relatorio'))
  await main
    .getByText(
      /^meu-relatorio\/minha-area\/atendimentos\.json: pages\[0\].*custos.*\(linha \d+, coluna \d+\)/,
    )
    .first()
    .waitFor()
  expect(await main.getByRole('button', { name: 'Publicar' }).isDisabled()).toBe(true)
  await settled(visitor, 'publishing a folder with errors')

  const zip: Zippable = {}
  for (const entry of await readdir(EXAMPLE, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    if (entry.isFile()) zip[path.slice(EXAMPLE.length + 1)] = await readFile(path)
  }
  await upload(page, 'meu-relatorio.zip', Buffer.from(zipSync(zip)))
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await main
    .getByRole('list', { name: 'Relatórios da pasta' })
    .getByText('Atendimentos por unidade')
    .waitFor()
  await expectDrawn(await waitForPreview(page), 'the preview of the folder')
  await settled(visitor, 'publishing a folder')
  await choose(page, 'Pessoas', 'Clara Nunes')
  await press(main, 'Publicar')
  await main.getByText('1 pessoa pode abri-lo').waitFor()
  await main.getByRole('link', { name: 'Abrir relatório' }).click()
  await expectDrawn(await waitForRendered(page), 'the report of the folder')

  await visitor.goto('/publicar')
  const links = zipSync({ 'v/dataset.json': [Buffer.from('/etc/passwd'), { os: 3, attrs: 0o120777 << 16 }] })
  await upload(page, 'atalhos.zip', Buffer.from(links))
  await main.getByText('v/dataset.json: atalhos não são aceitos').waitFor()
  await visitor.close()
})

test('an administrator signs in and publishes a report with the keyboard only', {
  timeout: 180_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  const { page, main } = visitor
  const clicks = await countClicks(page, 'mousedown')
  await visitor.goto('/')
  await reach(page, signInForm(page).username)
  await page.keyboard.type(admin.email)
  await reach(page, signInForm(page).password)
  await page.keyboard.type(admin.password)
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname !== '/')
  // The quick search leads to any screen.
  await main.getByRole('heading').first().waitFor()
  await page.keyboard.press('Control+k')
  await page.getByLabel('Buscar relatório, tela, pessoa ou ação').waitFor()
  await page.keyboard.type('publicar')
  await page
    .getByRole('option', { name: /Publicar/ })
    .first()
    .waitFor()
  await page.keyboard.press('Enter')
  await page.waitForURL((url) => url.pathname === '/publicar')
  // While the search closes, it gives the focus back; the new page then takes it.
  await page.getByLabel('Buscar relatório, tela, pessoa ou ação').waitFor({ state: 'detached' })
  await page.waitForFunction(() => document.activeElement?.matches('h1, main, [tabindex="-1"]'))
  await reach(page, main.getByRole('button', { name: 'Escolher arquivos' }))
  const chooser = page.waitForEvent('filechooser')
  // A key press can overtake Playwright's request to intercept the dialog; a call of the page cannot.
  await page.evaluate(() => undefined)
  await page.keyboard.press('Enter')
  await (await chooser).setFiles({ name: 'teclado.csv', mimeType: 'text/csv', buffer: Buffer.from(costs) })
  await reach(page, main.getByLabel('Nome do relatório'))
  await page.keyboard.press('End')
  await page.keyboard.type(' do mês')
  await reach(page, main.getByText('Definição do relatório', { exact: true }))
  await page.keyboard.press('Enter')
  await reach(page, main.getByRole('textbox', { name: 'Definição do relatório' }))
  await reach(page, main.getByRole('combobox', { name: 'Pessoas' }))
  await page.keyboard.type('Clara')
  await page.locator('[data-combobox-selected]', { hasText: 'Clara Nunes' }).waitFor()
  await page.keyboard.press('Enter')
  await main.getByRole('list', { name: 'Pessoas que podem abrir' }).getByText('Clara Nunes').waitFor()
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await reach(page, main.getByRole('button', { name: 'Publicar' }))
  await page.keyboard.press('Enter')
  await main.getByText('1 pessoa pode abri-lo').waitFor()
  await reach(page, main.getByRole('link', { name: 'Abrir relatório' }))
  await page.keyboard.press('Enter')
  await expectDrawn(await waitForRendered(page), 'the report published with the keyboard')
  await page.getByText('Teclado do mês').first().waitFor()
  expect(clicks.count).toBe(0)
  await visitor.close()
})
