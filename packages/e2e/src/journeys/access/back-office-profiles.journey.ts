import { grantsApi, profilesApi, usersApi } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'
import { expectReadable, looks, settled } from '../../browser/visitor.ts'
import { administrator, box, choose, dialogOf, expectTexts, press } from '../../pages/back-office.ts'
import { idsOf, permissionJourney } from '../../pages/permission-data.ts'

const MARK = 'Jornada dos perfis'

const journey = permissionJourney(MARK)

const draft = { senhaUsuario: 'Uma senha de jornada' }

describe('profiles', () => {
  test('an administrator creates, fills, renames and deletes a profile', { timeout: 180_000 }, async () => {
    const { call, group, person, profiles } = journey.data()
    const visitor = await administrator('/permissao-relatorio')
    const { page, main } = visitor
    await main.getByRole('heading', { name: 'Permissões por perfil', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Criar perfil' }).first().click()
    const naming = dialogOf(page, 'Criar perfil')
    await press(naming, 'Gravar')
    await naming.getByText('É necessário preencher todos os campos!').waitFor()
    await settled(visitor, 'new profile')
    await naming.getByLabel('Nome do perfil').fill(`${MARK} Auditoria`)
    await page.keyboard.press('Enter')
    await main.getByRole('heading', { name: `${MARK} Auditoria`, exact: true }).waitFor()

    await main.getByRole('button', { name: `${group.name} ` }).click()
    await box(page, `Marcar todos de ${group.name}`).check()
    await press(page, 'Salvar')
    await main.getByText(/^Perfil salvo!/).waitFor()
    await settled(visitor, 'profile reports')

    await main.getByRole('link', { name: 'Membros', exact: true }).click()
    await main.getByText(/Este perfil ainda não tem membros/).waitFor()
    await choose(page, 'Acrescentar usuário', person.nomeUsuario)
    await main.getByRole('heading', { name: 'Entram ao salvar' }).waitFor()
    await settled(visitor, 'profile members')
    await press(page, 'Salvar')
    await main.getByText('Membros salvos! 1 pessoa entrou.').waitFor()
    await main.getByText(`${group.reports.length} relatórios · 1 membro`).waitFor()
    const menu = await call(grantsApi.menuOf, { params: { idUsuario: person.idUsuario } })
    expect(menu.map(({ workspace }) => workspace)).toEqual([group.name])
    await choose(page, 'Acrescentar usuário', person.nomeUsuario)
    await main.getByText(`${person.nomeUsuario} já participa deste perfil.`).waitFor()

    const [profile] = await profiles()
    if (!profile) throw new Error('the profile is gone')
    await press(page, 'Renomear')
    const renaming = dialogOf(page, 'Renomear perfil')
    await renaming.getByLabel('Nome do perfil').fill(`${MARK} Auditoria médica`)
    await call(profilesApi.update, {
      params: { id: profile.idPerfil },
      body: { nomePerfil: `${MARK} Outro nome` },
    })
    visitor.expectComplaint(/412/)
    await press(renaming, 'Gravar')
    const conflict = dialogOf(page, 'Outra pessoa alterou este cadastro')
    for (const name of ['Outro nome', 'Auditoria médica'])
      await conflict.getByText(`${MARK} ${name}`).waitFor()
    await settled(visitor, 'profile renamed twice')
    await press(conflict, 'Gravar esta escolha')
    await main.getByRole('heading', { name: `${MARK} Auditoria médica`, exact: true }).waitFor()

    await main.getByRole('link', { name: 'Perfis', exact: true }).click()
    await main.getByRole('heading', { name: 'Permissões por perfil', exact: true }).waitFor()
    const search = main.getByLabel('Buscar perfil', { exact: true })
    await search.fill('nada com este nome')
    await main.getByText('Desculpe! Sem resultados para essa pesquisa.').waitFor()
    await search.fill(MARK)
    await main.getByText(`${MARK} Auditoria médica`).first().waitFor()
    await expectTexts(main, ['Anterior', 'Próximo', 'Ação'])
    await settled(visitor, 'profiles')
    await press(page, `Excluir ${MARK} Auditoria médica`)
    const deleting = page.getByRole('dialog')
    await expectTexts(deleting, ['Deseja mesmo excluir esse perfil?', 'Não, cancelar', 'Sim, excluir'])
    await deleting.getByText(/^1 membro deixa de ver /).waitFor()
    await settled(visitor, 'profile deletion')
    await press(deleting, 'Sim, excluir')
    await expectTexts(deleting, ['Perfil excluído!', 'Fechar'])
    await press(deleting, 'Fechar')
    expect(await profiles()).toEqual([])
    await visitor.close()
  })

  test('an administrator adds many people at once, found by words and from a pasted list', {
    timeout: 120_000,
  }, async () => {
    const { call, person, createProfile } = journey.data()
    const { idPerfil } = await createProfile('Muitos', [], [person.idUsuario])
    const marked = ['Souza Um', 'Souza Dois', 'Souza Três'].map((name) => `${MARK} ${name}`)
    const created = []
    for (const [index, nomeUsuario] of marked.entries()) {
      const emailUsuario = `souza${index}.${idPerfil}@norte.exemplo.com.br`
      created.push(await call(usersApi.create, { body: { ...draft, nomeUsuario, emailUsuario } }))
    }
    try {
      const visitor = await administrator(`/permissao-relatorio/${idPerfil}/membros`)
      const { page, main } = visitor
      await press(page, 'Acrescentar várias pessoas')
      const dialog = dialogOf(page, 'Acrescentar várias pessoas')
      await dialog.getByLabel('Pesquisar por nome ou e-mail').fill(`norte.exemplo souza ${MARK}`)
      const boxes = dialog.getByRole('list', { name: 'Pessoas encontradas' }).getByRole('checkbox')
      await expect.poll(() => boxes.count()).toBe(3)
      await settled(visitor, 'candidates')
      await dialog.getByRole('checkbox', { name: new RegExp(`^${marked[0]}`) }).check()
      await dialog.getByText('1 pessoa escolhida', { exact: true }).waitFor()

      await dialog.getByText('Colar e-mails', { exact: true }).click()
      const [, two, three] = created
      const lines = [
        `Souza <${two?.emailUsuario.toUpperCase()}>`,
        three?.emailUsuario,
        three?.emailUsuario,
        person.emailUsuario,
        'ninguem@exemplo.com.br',
        'sem e-mail',
      ]
      await dialog.getByLabel('E-mails', { exact: true }).fill(lines.join('\n'))
      await press(dialog, 'Conferir')
      await dialog
        .getByText(
          '2 pessoas encontradas em 6 e-mails. Sem usuário: linhas 5 e 6. Veja o motivo dos outros na lista.',
        )
        .waitFor()
      const results = dialog.getByRole('list', { name: 'Resultado por linha' }).getByRole('listitem')
      expect(await results.count()).toBe(6)
      await expectTexts(dialog, [
        'Linha 3: repetido, já está acima.',
        'Linha 4: já participa deste perfil.',
        'Linha 5: nenhum usuário tem este e-mail.',
        'Linha 6: não é um e-mail.',
        '3 pessoas escolhidas',
      ])
      await settled(visitor, 'pasted e-mails')
      await press(dialog, 'Acrescentar')
      await main.getByRole('heading', { name: 'Entram ao salvar (3)' }).waitFor()
      await settled(visitor, 'many join')

      await press(page, `Retirar ${person.nomeUsuario}`)
      await press(page, 'Salvar')
      const leaving = page.getByRole('dialog')
      await expectTexts(leaving, ['3 pessoas entram', '1 pessoa sai', person.nomeUsuario])
      await press(leaving, 'Confirmar')
      await main.getByText('Membros salvos! 3 pessoas entraram, 1 saiu.').waitFor()
      await main
        .getByText(marked[2] ?? '')
        .first()
        .waitFor()
      await visitor.close()
      const members = await call(profilesApi.listMembers, { params: { id: idPerfil }, query: {} })
      expect(members.map(({ nomeUsuario }) => nomeUsuario).sort()).toEqual(marked.toSorted())
    } finally {
      for (const { idUsuario: id } of created) await call(usersApi.remove, { params: { id } })
    }
  })

  test('an administrator gives a membership a last day', { timeout: 120_000 }, async () => {
    const { group, person, createProfile } = journey.data()
    const profile = await createProfile('Temporária', idsOf(group.reports), [person.idUsuario])
    const visitor = await administrator(`/permissao-relatorio/${profile.idPerfil}/membros`, looks[0])
    const { page, main } = visitor
    const term = (text: string) =>
      main.getByRole('button', { name: `Prazo de ${person.nomeUsuario}: ${text}` }).filter({ visible: true })
    await term('Sem prazo').click()
    const dialog = dialogOf(page, 'Prazo no perfil')
    await dialog.getByLabel('Último dia', { exact: true }).fill('30/06/2099')
    await settled(visitor, 'the last day of a membership')
    await press(dialog, 'Gravar prazo')
    await term('Até 30/06/2099').waitFor()
    await settled(visitor, 'a membership with a last day')
    await visitor.close()
  })

  test('an administrator edits a profile by touch in the dark theme', { timeout: 120_000 }, async () => {
    const { group, person, createProfile } = journey.data()
    const profile = await createProfile('Escura', idsOf(group.reports), [person.idUsuario])
    const visitor = await administrator(`/editrelatorio/${person.idUsuario}?grupo=${group.id}`, looks[1])
    const { page, main } = visitor
    await box(page, group.reports[0]?.nomeRelatorio ?? '').check()
    await expectReadable(page, 'user grants on the phone')
    await press(page, 'Desfazer')
    await visitor.goto(`/searchRelatorio?idUsuario=${person.idUsuario}`)
    await main.getByRole('button', { name: `${group.name} ` }).click()
    await main.getByRole('checkbox').first().waitFor()
    await expectReadable(page, 'grants search on the phone')
    await visitor.goto(`/permissao-relatorio/${profile.idPerfil}/membros`)
    await press(page, `Retirar ${person.nomeUsuario}`)
    await main.getByText('sai ao salvar').waitFor()
    await expectReadable(page, 'profile members on the phone')
    await press(page, 'Desfazer')
    await visitor.close()
  })
})
