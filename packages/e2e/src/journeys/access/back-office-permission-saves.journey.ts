import { usersApi } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { settled, visit } from '../../browser/visitor.ts'
import { administrator, box, dialogOf, expectTexts, press, waitUntilHidden } from '../../pages/back-office.ts'
import { idsOf, permissionJourney } from '../../pages/permission-data.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const journey = permissionJourney('Jornada dos salvamentos')

describe('saving permissions', () => {
  test("the dialog shows the second administrator the first one's change, and keeps both", async () => {
    const { reports, person, grant, granted } = journey.data()
    const [first, second, third] = reports
    if (!first || !second || !third) throw new Error('the demo has too few reports')
    await grant([first.idRelatorio])
    const visitor = await administrator(`/searchRelatorio?idUsuario=${person.idUsuario}`)
    const { page } = visitor
    await page.getByText('Marcados (1)').waitFor()
    await page.getByPlaceholder('Pesquisar relatório').fill(second.nomeRelatorio)
    await page
      .getByRole('checkbox', { name: new RegExp(`^${second.nomeRelatorio}\\s*${second.nomeGrupo}`) })
      .check()
    await grant([third.idRelatorio])
    await press(page, 'Salvar')
    const conflict = dialogOf(page, 'Outra pessoa alterou estas permissões')
    await expectTexts(conflict, [first.nomeRelatorio, second.nomeRelatorio, third.nomeRelatorio])
    await settled(visitor, 'two administrators')
    expect(await granted()).toEqual([third.idRelatorio])
    await press(conflict, 'Juntar as duas alterações')
    await page.getByText(/^Permissões salvas!/).waitFor()
    expect(await granted()).toEqual(idsOf([second, third]))
    await visitor.close()
  })

  test('the page keeps the marks after a failure, and saves them on the next press', async () => {
    const { group, person, granted } = journey.data()
    const [first] = group.reports
    const visitor = await administrator(`/editrelatorio/${person.idUsuario}?grupo=${group.id}`)
    const { page } = visitor
    await box(page, first?.nomeRelatorio ?? '').check()
    const url = /\/api\/usuarios\/relatorio-usuario\/\d+$/
    await page.route(url, (route) => route.abort())
    visitor.expectComplaint(/ERR_FAILED/)
    await press(page, 'Salvar')
    const dialog = page.getByRole('dialog')
    await dialog.getByText(/^Nada foi salvo, e suas marcas continuam aqui\./).waitFor()
    await page.unroute(url)
    await press(dialog, 'Tentar novamente')
    await page.getByText('Permissões salvas! 1 liberado.').waitFor()
    expect(await granted()).toEqual([first?.idRelatorio])
    await visitor.close()
  })
})

test('an open browser shows a new grant within 5 s, and loses the report when it is revoked', {
  timeout: 120_000,
}, async () => {
  const { call, reports, grant, granted } = journey.data()
  const [ana] = await call(usersApi.list, { query: { busca: people.ana.name } })
  if (!ana) throw new Error('the demo has no Ana')
  const before = await granted(ana.idUsuario)
  const news = reports.find(({ idRelatorio }) => !before.includes(idRelatorio))
  if (!news) throw new Error('Ana sees everything')
  const viewer = await visit()
  await viewer.enter(people.ana, '/saidibi')
  const visitor = await administrator(`/editrelatorio/${ana.idUsuario}?grupo=${news.idGrupoRelatorio}`)
  const { page } = visitor
  try {
    await box(page, news.nomeRelatorio).check()
    await press(page, 'Salvar')
    await page.getByText('Permissões salvas! 1 liberado.').waitFor()
    const menu = viewer.page.getByRole('navigation', { name: 'Relatórios Gerenciais' })
    const workspace = menu.getByRole('button', { name: news.nomeGrupo })
    await workspace.waitFor({ timeout: 5_000 })
    if ((await workspace.getAttribute('aria-expanded')) !== 'true') await workspace.click()
    await menu.getByRole('link', { name: news.nomeRelatorio }).waitFor({ timeout: 5_000 })

    const entry = reportsOf(await (await signedInClient(journey.portal, people.ana)).menu()).find(
      ({ idRelatorio }) => idRelatorio === news.idRelatorio,
    )
    await viewer.goto(entry?.path ?? '/')
    await waitForRendered(viewer.page)
    await waitUntilHidden(page.getByRole('dialog'))
    await box(page, news.nomeRelatorio).uncheck()
    viewer.expectComplaint(/40[34]/)
    await press(page, 'Salvar')
    await press(page.getByRole('dialog'), 'Confirmar')
    await page
      .getByText(/^Permissões salvas! 1 retirado\.|Nenhum relatório selecionado/)
      .first()
      .waitFor()
    await viewer.page.getByText('Relatório não liberado').waitFor({ timeout: 5_000 })
    await expect
      .poll(() => viewer.page.frames().some((frame) => frame.url().includes('/reportEmbed')))
      .toBe(false)
  } finally {
    await grant(before, ana.idUsuario)
  }
  await visitor.close()
  await viewer.close()
})
