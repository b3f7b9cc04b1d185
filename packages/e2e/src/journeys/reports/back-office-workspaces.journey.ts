import { connectionsApi, reportRegistrationsApi, type Workspace, workspacesApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { expectReadable, looks, settled } from '../../browser/visitor.ts'
import { administrator, dialogOf, expectTexts, press } from '../../pages/back-office.ts'
import { demoConnection, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
let api: Awaited<ReturnType<typeof signedInClient>>
let idPowerBi: number

/** Part of the name of everything these journeys register. */
const MARK = 'Jornada dos workspaces'

beforeAll(async () => {
  api = await signedInClient(portal, people.admin)
  const [connection] = await api.call(connectionsApi.list, { query: { busca: demoConnection } })
  if (!connection) throw new Error('the demo has no connection')
  idPowerBi = connection.idPowerBI
})
afterAll(async () => {
  for (const { idGrupoRelatorio } of await api.call(workspacesApi.list, { query: { busca: MARK } })) {
    const reports = await api.call(reportRegistrationsApi.list, { query: { idGrupoRelatorio } })
    for (const { idRelatorio } of reports)
      await api.call(reportRegistrationsApi.remove, { params: { id: idRelatorio } })
    await api.call(workspacesApi.remove, { params: { id: idGrupoRelatorio } })
  }
})

const createWorkspace = (name: string): Promise<Workspace> =>
  api.call(workspacesApi.create, {
    body: { nomeGrupo: `${MARK} ${name}`, idGrupo: crypto.randomUUID(), idPowerBi },
  })

const search = (page: Page) => page.getByLabel('Buscar workspace', { exact: true })

describe('Workspace', () => {
  test.each(looks)(
    'Workspace shows the list on the $size, in the $colorScheme',
    { timeout: 120_000 },
    async (look) => {
      for (let n = 1; n <= 7; n += 1) await createWorkspace(`lista ${look.size} ${n}`)
      const visitor = await administrator('/workspace?tamanho=5', look)
      const { page, main } = visitor
      await main.getByRole('heading', { name: 'Workspace', exact: true }).waitFor()
      await expectTexts(main, [
        'Nome do Workspace',
        'Grupo ID',
        'Cadastrar Workspace',
        'Anterior',
        'Próximo',
        ...(look.size === 'desktop' ? ['Ação'] : []),
      ])
      await search(page).fill(`LISTA ${look.size}`)
      await main.getByText('1–5 de 7', { exact: true }).waitFor()
      const [back, on] = [
        main.getByRole('button', { name: 'Anterior' }),
        main.getByRole('button', { name: 'Próximo' }),
      ]
      expect([await back.isDisabled(), await on.isDisabled()]).toEqual([true, false])
      await expectReadable(page, `workspaces on the ${look.size}`)
      await on.click()
      await main.getByText('6–7 de 7', { exact: true }).waitFor()
      expect([await back.isDisabled(), await on.isDisabled()]).toEqual([false, true])
      expect(new URL(page.url()).searchParams.get('pagina')).toBe('2')
      await page.reload()
      await main.getByText('6–7 de 7', { exact: true }).waitFor()
      await page.goBack()
      await main.getByText('1–5 de 7', { exact: true }).waitFor()
      await search(page).fill('nada com este nome')
      await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
      await expectReadable(page, `no workspaces on the ${look.size}`)
      await visitor.close()
    },
  )

  test('the form reports missing fields, creates, creates another, and edits', {
    timeout: 120_000,
  }, async () => {
    const visitor = await administrator('/Registerworkspace')
    const { page } = visitor
    await page.getByRole('heading', { name: 'Cadastrar Workspace' }).waitFor()
    await page.getByPlaceholder('Digite o nome do Workspace').waitFor()
    const missing = page.getByText('É necessário preencher todos os campos!')
    const sent: string[] = []
    page.on('request', (request) => request.method() === 'POST' && sent.push(request.url()))
    await press(page, 'Gravar')
    await missing.waitFor()
    await settled(visitor, 'workspace form with faults')
    await missing.waitFor({ state: 'hidden' })
    expect(sent).toEqual([])

    const powerBi = page.getByRole('combobox', { name: 'Power Bi' })
    await powerBi.fill('nada com este nome')
    await page.getByText('Nenhum resultado encontrado!').waitFor()
    await powerBi.fill('')
    await page.getByRole('option').first().click()
    const idGrupo = crypto.randomUUID()
    await page.getByRole('combobox', { name: 'Grupo' }).fill(idGrupo)
    await page.getByRole('option', { name: idGrupo }).click()
    const name = `${MARK} novo`
    await page.getByLabel('Nome do Workspace').fill(name)
    await page.getByLabel('Nome do Workspace').press('Enter')
    const saved = page.getByRole('dialog').filter({ hasText: 'Workspace cadastrado!' })
    await saved.getByRole('button', { name: 'Fechar' }).waitFor()
    await settled(visitor, 'workspace saved')
    await press(saved, 'Cadastrar +1')
    await expect.poll(() => page.getByLabel('Nome do Workspace').inputValue()).toBe('')

    const [record] = await api.call(workspacesApi.list, { query: { busca: name } })
    await visitor.goto(`/Registerworkspace?idGrupoRelatorio=${record?.idGrupoRelatorio}`)
    await expect.poll(() => page.getByLabel('Nome do Workspace').inputValue()).toBe(name)
    await page.getByLabel('Nome do Workspace').fill(`${name} editado`)
    await page
      .getByRole('link', { name: 'Início' })
      .or(page.getByRole('link', { name: 'BI Manager' }))
      .first()
      .click()
    await press(dialogOf(page, 'Sair sem gravar?'), 'Continuar editando')
    await press(page, 'Gravar')
    await press(page.getByRole('dialog').filter({ hasText: 'Workspace editado!' }), 'Fechar')
    await page.waitForURL((url) => url.pathname === '/workspace')
    await visitor.close()
  })

  test('Workspace shows the second editor who changed what, and lets them choose', {
    timeout: 90_000,
  }, async () => {
    const workspace = await createWorkspace('conflito')
    const visitor = await administrator(`/Registerworkspace/${workspace.idGrupoRelatorio}`)
    visitor.expectComplaint(/412/)
    const { page } = visitor
    const name = page.getByLabel('Nome do Workspace')
    await expect.poll(() => name.inputValue()).toBe(workspace.nomeGrupo)
    await name.fill(`${MARK} meu`)
    await api.call(
      workspacesApi.update,
      {
        params: { id: workspace.idGrupoRelatorio },
        body: { ...workspace, nomeGrupo: `${MARK} deles` },
      },
      { ifMatch: 1 },
    )
    await press(page, 'Gravar')
    const conflict = dialogOf(page, 'Outra pessoa alterou este cadastro')
    await conflict.getByText(/^Marina Alves alterou Nome do Workspace em/).waitFor()
    await conflict.getByText(`${MARK} deles`).waitFor()
    await settled(visitor, 'conflict')
    await conflict.getByRole('radio', { name: /Você digitou/ }).check()
    await press(conflict, 'Gravar esta escolha')
    await page.getByRole('dialog').filter({ hasText: 'Workspace editado!' }).waitFor()
    const now = await api.call(workspacesApi.get, { params: { id: workspace.idGrupoRelatorio } })
    expect([now.nomeGrupo, now.versao]).toEqual([`${MARK} meu`, 3])
    await visitor.close()
  })

  test('Workspace deletes after a question, but not while reports depend on it', {
    timeout: 90_000,
  }, async () => {
    const workspace = await createWorkspace('exclusão')
    const { idRelatorio } = await api.call(reportRegistrationsApi.create, {
      body: {
        idGrupoRelatorio: workspace.idGrupoRelatorio,
        nomeRelatorio: 'Depende',
        operadoraRelatorio: 'CNU',
        reportId: crypto.randomUUID(),
      },
    })
    const visitor = await administrator(`/workspace?busca=${encodeURIComponent(workspace.nomeGrupo)}`)
    const { page } = visitor
    const remove = page.getByRole('button', { name: `Excluir ${workspace.nomeGrupo}` })
    await remove.click()
    const blocked = dialogOf(page, 'Não é possível excluir')
    await blocked.getByText('1 relatório usa este Workspace:').waitFor()
    const report = blocked.getByRole('link', { name: 'Depende' })
    expect(await report.getAttribute('href')).toBe(`/RegisterworkspaceRelatorios/${idRelatorio}`)
    await settled(visitor, 'blocked deletion of a workspace')
    await press(blocked, 'Fechar')

    await api.call(reportRegistrationsApi.remove, { params: { id: idRelatorio } })
    await remove.click()
    const asking = dialogOf(page, 'Deseja mesmo excluir esse Workspace?')
    await asking.getByRole('button', { name: 'Não, cancelar' }).waitFor()
    await settled(visitor, 'deleting a workspace')
    await press(asking, 'Sim, excluir')
    const done = dialogOf(page, 'Workspace excluído!')
    await press(done, 'Fechar')
    await expect.poll(() => search(page).inputValue()).toBe('')
    expect(new URL(page.url()).search).toBe('')
    await visitor.close()
  })
})
