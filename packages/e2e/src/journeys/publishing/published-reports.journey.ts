import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, type Visitor, visit } from '../../browser/visitor.ts'
import { dialogOf, press } from '../../pages/back-office.ts'
import { type Demo, startFresh } from '../../services/demo.ts'

/* Versions and data of a published report. The tests share one portal, in this order. */

const admin = { email: 'chefe@empresa.exemplo', password: 'Girassol de inverno 58', name: 'Administrador' }

const csv = (rows: number, header = 'Unidade;Valor pago') =>
  Buffer.from([header, ...Array.from({ length: rows }, (_, n) => `Centro ${n % 3};R$ ${n},50`)].join('\n'))

let demo: Demo
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'bi-manager-sources-'))
  demo = await startFresh({
    ADMIN_EMAIL: admin.email,
    ADMIN_PASSWORD: admin.password,
    DATA_FILES_DIR: folder,
  })
}, 120_000)
afterAll(async () => {
  await demo?.stop()
  await rm(folder, { recursive: true })
})

const upload = async (page: Page, name: string, buffer: Buffer): Promise<void> => {
  const chooser = page.waitForEvent('filechooser')
  await press(page, /^Escolher (outros? )?arquivos?$/)
  await (await chooser).setFiles({ name, mimeType: 'text/csv', buffer })
}
/** Opens the report in a fresh page, as a person does who has not prepared it before the change. */
const expectRows = async ({ page, goto }: Visitor, text: string) => {
  const { pathname } = new URL(page.url())
  const address = await page.getByRole('link', { name: 'Abrir relatório' }).getAttribute('href')
  await goto(address ?? '')
  await (await waitForRendered(page)).getByText(text, { exact: true }).first().waitFor()
  await goto(pathname)
}

test('an administrator replaces the data of a report, and restores an earlier version', {
  timeout: 240_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicar')
  const { page, main } = visitor
  await upload(page, 'Custos.csv', csv(40))
  await main.getByText('Conferido: nenhum erro.').waitFor()
  await press(main, 'Publicar')
  await main.getByText('Relatório publicado!').waitFor()

  await press(page, 'Configurações')
  await press(page, 'Relatórios')
  await page.getByRole('link', { name: 'Relatórios publicados' }).click()
  await main.getByText('Publicado pela primeira vez').waitFor()
  await settled(visitor, 'published reports')
  await main.getByRole('link', { name: 'Custos' }).click()
  await main.getByText('Colunas: Unidade, Valor pago.').waitFor()
  await upload(page, 'errado.csv', csv(3, 'Unidade;Custo'))
  await main.getByText('errado.csv: falta a coluna Valor pago; no arquivo há a mais: Custo').waitFor()
  await settled(visitor, 'a file without a column')
  await upload(page, 'abril.csv', csv(1_250))
  await main.getByText('Conferido: as colunas são as mesmas.').waitFor()
  await press(main, 'Substituir por 1.250 linhas')
  await main.getByText('Dados substituídos (1.250 linhas)').waitFor()
  await settled(visitor, 'versions')
  await expectRows(visitor, '1.250')

  await press(main, 'Restaurar a versão 1')
  const dialog = dialogOf(page, 'Restaurar a versão 1 de “Custos”?')
  await dialog.getByLabel('Restaurar também os dados desta versão').waitFor()
  await settled(visitor, 'a question before a version is restored')
  await press(dialog, 'Sim, restaurar')
  await main.getByText('Versão 1 restaurada, com os dados').waitFor()
  expect(await main.getByRole('heading', { name: /^Versão \d/ }).allInnerTexts()).toEqual([
    expect.stringMatching(/^Versão 3\s+atual$/),
    'Versão 2',
    'Versão 1',
  ])
  await expectRows(visitor, '40')
  await visitor.close()

  const phone = await visit({ portal: demo.portal, ...looks[1] })
  await phone.enter(admin, '/publicados')
  await phone.main.getByText('Versão 1 restaurada, com os dados').waitFor()
  await settled(phone, 'published reports on a phone')
  await phone.main.getByRole('link', { name: 'Custos' }).click()
  await phone.main
    .getByText(/por Administrador, pelo portal/)
    .first()
    .waitFor()
  await settled(phone, 'versions on a phone')
  await phone.close()

  const auditor = await visit({ portal: demo.portal })
  await auditor.enter(admin, '/auditoria')
  for (const text of [
    'Mandou restaurar uma versão de um relatório do serviço local',
    'Mandou substituir os dados de um relatório do serviço local',
  ])
    await auditor.main
      .getByRole('button', { name: `${text}, ver detalhes` })
      .first()
      .waitFor()
  await auditor.close()
})

test('data is replaced from a file of the operator’s folder, and a failed run is shown', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit({ portal: demo.portal })
  await visitor.enter(admin, '/publicados')
  const { main } = visitor
  await main.getByRole('link', { name: 'Custos' }).click()
  await writeFile(join(folder, 'vendas.csv'), csv(77))
  await main.getByLabel('Caminho na pasta').fill('../vendas.csv')
  await press(main, 'Gravar agendamento')
  await main.getByText(/Escreva o caminho a partir da pasta de dados/).waitFor()
  await settled(visitor, 'a schedule with a path that is not accepted')
  await main.getByLabel('Caminho na pasta').fill('vendas.csv')
  await press(main, 'Gravar agendamento')
  await main.getByText(/^Agendamento gravado\. Próxima troca:/).waitFor()
  await press(main, 'Trocar agora')
  await main.getByText(/Dados substituídos \(77 linhas\)\.$/).waitFor()
  await main.getByText(/por Agendamento, pelo portal/).waitFor()
  await expectRows(visitor, '77')
  await rm(join(folder, 'vendas.csv'))
  await press(main, 'Trocar agora')
  await main.getByText('A última troca falhou').waitFor()
  await settled(visitor, 'a failed schedule')
  await expectRows(visitor, '77')
  await visitor.close()

  const phone = await visit({ portal: demo.portal, ...looks[1] })
  await phone.enter(admin, '/notificacoes')
  await phone.main.getByText('Falhou a troca agendada dos dados de um relatório').first().waitFor()
  await phone.goto('/publicados')
  await phone.main.getByRole('link', { name: 'Custos' }).click()
  await phone.main.getByText('A última troca falhou').waitFor()
  await settled(phone, 'a failed schedule on a phone')
  await press(phone.main, 'Retirar agendamento')
  const question = dialogOf(phone.page, 'Deseja mesmo retirar esse agendamento?')
  await settled(phone, 'a question before a schedule is removed')
  await press(question, 'Sim, retirar')
  await phone.main.getByRole('button', { name: 'Trocar agora' }).waitFor({ state: 'detached' })
  await settled(phone, 'a removed schedule')
  await phone.close()
})
