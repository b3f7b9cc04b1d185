import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { settled } from '../../browser/visitor.ts'
import {
  administrator,
  box,
  choose,
  dialogOf,
  expectTexts,
  press,
  waitUntilHidden,
} from '../../pages/back-office.ts'
import { idsOf, permissionJourney } from '../../pages/permission-data.ts'

const journey = permissionJourney('Jornada das permissões')

const openGroup = async (page: Page, name: string) => {
  await choose(page, 'Grupo', name)
  await press(page, 'Buscar Relatórios')
}

describe('permissions', () => {
  test("an administrator edits one user's grants in one workspace, with every state and text", {
    timeout: 180_000,
  }, async () => {
    const { reports, group, empty, person, grant, granted, createProfile } = journey.data()
    const [first, second] = group.reports
    if (!first || !second) throw new Error('the first workspace has too few reports')
    const elsewhere = reports.find(({ idGrupoRelatorio }) => idGrupoRelatorio !== group.id)
    await grant([first.idRelatorio, elsewhere?.idRelatorio ?? 0])
    await createProfile('Diretoria', [first.idRelatorio], [person.idUsuario])
    const visitor = await administrator(`/editrelatorio/${person.idUsuario}`)
    const { page, main } = visitor
    await main.getByRole('heading', { name: 'Usuário', exact: true }).waitFor()
    await expectTexts(main, [`Selecione o grupo deste perfil: ${person.nomeUsuario}`, 'Buscar Relatórios'])
    const field = page.getByPlaceholder('Pesquisar grupo...')
    await field.fill('nada com este nome')
    await main.getByText('Sem resultados para essa pesquisa', { exact: true }).waitFor()
    await settled(visitor, 'user grants')

    await page.keyboard.press('Escape')
    await openGroup(page, empty.nomeGrupo)
    const nothing = main.getByText('Não há relatórios cadastrados para esse usuário!', { exact: true })
    await nothing.waitFor()
    await main.getByText('Não há relatórios cadastrados para esse usuários!', { exact: true }).waitFor()
    await waitUntilHidden(nothing)

    await openGroup(page, group.name)
    await main.getByRole('heading', { name: 'Relatório', exact: true }).waitFor()
    await expect.poll(() => box(page, first.nomeRelatorio).isChecked()).toBe(true)
    expect(await box(page, second.nomeRelatorio).isChecked()).toBe(false)
    await settled(visitor, 'user grants, reports')

    const search = page.getByPlaceholder('Pesquisar relatório')
    await search.fill(second.nomeRelatorio.toUpperCase())
    await waitUntilHidden(box(page, first.nomeRelatorio))
    await search.fill('nada com este nome')
    await main.getByText('Sem resultados para essa pesquisa!', { exact: true }).waitFor()
    await search.fill('')

    await box(page, first.nomeRelatorio).uncheck()
    await main.getByText(/^Continua vendo\. Participa do perfil “Jornada das permissões Diretoria”/).waitFor()
    await box(page, second.nomeRelatorio).check()
    await settled(visitor, 'user grants, changed')
    await page.getByRole('link', { name: 'Usuários' }).first().click()
    const leaving = dialogOf(page, 'Sair sem gravar?')
    await press(leaving, 'Continuar editando')
    await waitUntilHidden(leaving)
    await field.fill('')
    await press(leaving, 'Continuar editando')
    await waitUntilHidden(leaving)
    expect(await field.inputValue()).toBe(group.name)

    await press(page, 'Salvar')
    const summary = page.getByRole('dialog', {
      name: `Salvar as permissões de ${person.nomeUsuario} no grupo ${group.name}?`,
    })
    await expectTexts(summary, ['Libera 1 relatório', 'Retira 1 relatório'])
    expect(await granted()).toEqual([first.idRelatorio, elsewhere?.idRelatorio].sort())
    await settled(visitor, 'user grants, summary')
    await press(summary, 'Confirmar')
    await main.getByText('Permissões salvas! 1 liberado, 1 retirado.').waitFor()
    await waitUntilHidden(summary)
    expect(await granted()).toEqual([second.idRelatorio, elsewhere?.idRelatorio].sort())

    await box(page, second.nomeRelatorio).uncheck()
    await press(page, 'Salvar')
    await press(summary, 'Confirmar')
    const none = main.getByText('Nenhum relatório selecionado: as permissões foram removidas.', {
      exact: true,
    })
    await none.waitFor()
    await waitUntilHidden(none)
    expect(await granted()).toEqual([elsewhere?.idRelatorio])

    await field.fill('')
    await waitUntilHidden(main.getByRole('heading', { name: 'Relatório', exact: true }))
    await visitor.goto('/editrelatorio/999999')
    await main.getByText('Usuário não encontrado').waitFor()
    visitor.expectComplaint(/404/)
    await visitor.close()
  })

  test("an administrator edits one user's grants in all workspaces, with every state and text", {
    timeout: 180_000,
  }, async () => {
    const { reports, group, person, grant, granted } = journey.data()
    const kept = reports.filter(({ idGrupoRelatorio }) => idGrupoRelatorio !== group.id).slice(0, 2)
    await grant(idsOf(kept))
    const visitor = await administrator('/searchRelatorio')
    const { page, main } = visitor
    await main.getByRole('heading', { name: 'Permissões por usuário' }).waitFor()
    await page.getByRole('combobox', { name: 'Usuário' }).fill('ninguém com este nome')
    await main.getByText('Sem resultados para essa pesquisa', { exact: true }).waitFor()
    await settled(visitor, 'grants search')
    await choose(page, 'Usuário', person.nomeUsuario)
    await main.getByRole('heading', { name: `Relatórios de ${person.nomeUsuario}` }).waitFor()

    const workspace = main.getByRole('button', { name: `${group.name} ` })
    await expect.poll(() => workspace.textContent()).toContain(`0 de ${group.reports.length}`)
    expect(await main.getByRole('checkbox').count()).toBe(0)
    await workspace.click()
    await box(page, `Marcar todos de ${group.name}`).check()
    await expect
      .poll(() => workspace.textContent())
      .toContain(`${group.reports.length} de ${group.reports.length}`)
    await settled(visitor, 'grants search, open')

    const search = page.getByPlaceholder('Pesquisar relatório')
    await search.fill('nada com este nome')
    await main.getByText('Sem resultados para essa pesquisa!', { exact: true }).waitFor()
    const [taken] = kept
    if (!taken) throw new Error('the demo has one workspace')
    await search.fill(taken.nomeRelatorio)
    await main.getByText(taken.nomeGrupo, { exact: true }).first().waitFor()
    await main
      .getByRole('checkbox', { name: new RegExp(`^${taken.nomeRelatorio}\\s*${taken.nomeGrupo}`) })
      .uncheck()
    await settled(visitor, 'grants search, found')
    await search.fill('')

    await press(page, 'Salvar')
    const summary = page.getByRole('dialog', {
      name: `Salvar as permissões de ${person.nomeUsuario}?`,
    })
    await expectTexts(summary, [taken.nomeRelatorio, 'Retira 1 relatório'])
    await settled(visitor, 'grants search, summary')
    await press(summary, 'Confirmar')
    await main.getByText(/^Permissões salvas!/).waitFor()
    await waitUntilHidden(summary)
    expect(await granted()).toEqual(idsOf([...group.reports, ...kept.slice(1)]))

    await main.getByText(/^Marcados \(/).click()
    for (const checked of await main.getByRole('checkbox').all()) await checked.uncheck()
    await settled(visitor, 'grants search, ticked')
    await press(page, 'Salvar')
    await expectTexts(summary, [
      'Nenhum relatório ficará marcado: as permissões diretas daqui serão todas removidas.',
    ])
    await press(summary, 'Confirmar')
    const none = main.getByText('Nenhum relatório selecionado: as permissões foram removidas.', {
      exact: true,
    })
    await none.waitFor()
    await waitUntilHidden(none)
    expect(await granted()).toEqual([])
    await visitor.close()
  })
})
