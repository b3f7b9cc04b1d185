import { securitySettingsApi } from '@bi-manager/contract'
import { expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { looks, settled, visit } from '../../browser/visitor.ts'
import { administrator, closeDialog, dialogOf, press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { createPerson } from '../../people/create-person.ts'
import { people } from '../../people/people.ts'

/* A person with a link to a report that is not theirs asks for it, and an ADMIN answers. */

const aReport = async () => {
  const { menu } = await signedInClient(inject('portal'), people.admin)
  const [report] = reportsOf(await menu())
  if (!report) throw new Error('The demo has no report.')
  return report
}

test.each(looks)('a granted request opens the report in the waiting window: $size', async (look) => {
  const report = await aReport()
  const email = `rita.${look.size}@demo.local`
  const reader = await createPerson(inject('portal'), `Rita Prado ${look.size}`, email)
  const reading = await visit(look)
  const { page, main } = reading
  reading.expectComplaint(/403/)
  await reading.enter(reader, report.path)
  await main.getByText('Relatório não liberado').waitFor()
  await settled(reading, 'a report that is not granted')
  await press(main, 'Pedir acesso')
  const dialog = dialogOf(page, 'Pedir acesso')
  await dialog.getByLabel('Motivo').fill('Fecho o mês com os números deste relatório.')
  await settled(reading, 'a request for access')
  await press(dialog, 'Enviar pedido')
  await closeDialog(dialogOf(page, 'Pedido enviado!'))
  await main.getByRole('link', { name: /^Acesso pedido em/ }).waitFor()

  const answering = await administrator('/pedidos-acesso?situacao=ABERTO', look)
  const row = answering.page.getByRole('button', { name: `Responder a ${reader.name}` })
  await settled(answering, 'open requests for access')
  await row.click()
  const answer = dialogOf(answering.page, 'Responder ao pedido')
  await answer.getByText('Fecho o mês com os números deste relatório.').waitFor()
  await answer.getByLabel('Último dia (opcional)', { exact: true }).fill('31/12/2099')
  await answer.getByLabel('Mensagem (opcional)').fill('Bom trabalho.')
  await settled(answering, 'an answer to a request')
  await press(answer, 'Liberar')
  await answer.waitFor({ state: 'hidden' })
  await answering.goto('/pedidos-acesso')
  await answering.main.getByText('Liberado', { exact: true }).filter({ visible: true }).first().waitFor()
  await settled(answering, 'answered requests')

  // The window of the person opens the report by itself.
  await waitForRendered(page)
  await reading.goto('/meus-pedidos-acesso')
  await main.getByText('Bom trabalho.').waitFor()
  await settled(reading, "one's own requests")
  await answering.goto(`/searchRelatorio?idUsuario=${reader.idUsuario}`)
  await answering.main.getByText('Marcados (1)').click()
  await answering.main
    .getByRole('button', { name: /: Até 31\/12\/2099$/ })
    .first()
    .waitFor()
  await settled(answering, 'a grant with an end')
  await answering.close()
  await reading.close()
  await reader.remove()
})

test('the search shows reports without access only where ADMINs allow it', async () => {
  const portal = inject('portal')
  const report = await aReport()
  const reader = await createPerson(portal, 'Otto Lima', 'otto.lima@demo.local')
  const { call } = await signedInClient(portal, people.admin)
  const allow = (buscaSemAcesso: boolean) => call(securitySettingsApi.update, { body: { buscaSemAcesso } })
  const visitor = await visit(looks[0])
  const { page, main } = visitor
  await visitor.enter(reader, '/saidibi')
  await main.getByRole('heading', { level: 1 }).waitFor()
  const search = async () => {
    await page.keyboard.press('Control+k')
    await page.getByLabel('Buscar relatório, tela ou ação').fill(report.name)
  }
  await search()
  await page.getByText('Nenhum resultado encontrado!').waitFor()
  await page.keyboard.press('Escape')
  await allow(true)
  try {
    await page.reload()
    await main.getByRole('heading', { level: 1 }).waitFor()
    await search()
    const line = page.getByRole('option', { name: new RegExp(`^${report.name}.*Sem acesso`) })
    await line.waitFor()
    await settled(visitor, 'a search with reports without access')
    visitor.expectComplaint(/403/)
    await line.click()
    await main.getByRole('button', { name: 'Pedir acesso' }).waitFor()
    expect(await main.getByText('Relatório não liberado').count()).toBe(1)
  } finally {
    await allow(false)
  }
  await visitor.close()
  await reader.remove()
})
