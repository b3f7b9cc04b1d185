import { expect, inject, test } from 'vitest'
import { looks, settled } from '../../browser/visitor.ts'
import { administrator, dialogOf, press } from '../../pages/back-office.ts'
import { createPerson } from '../../people/create-person.ts'

/* Accounts and grants that end on a day. */

test.each(looks)('an ADMIN gives an account and a grant a last day: $size', async (look) => {
  const portal = inject('portal')
  const name = `Davi Nunes ${look.size}`
  const person = await createPerson(portal, name, `davi.${look.size}@demo.local`)
  const visitor = await administrator(`/cadastrar-usuario/${person.idUsuario}`, look)
  const { page, main } = visitor
  const end = page.getByLabel('Conta válida até')
  visitor.expectComplaint(/422/)
  await end.fill('31/01/2020')
  await press(page, 'Gravar')
  await main.getByText('Informe uma data a partir de hoje.').waitFor()
  await settled(visitor, 'a last day that has passed')
  await end.fill('31/12/2099')
  await press(page, 'Gravar')
  await press(dialogOf(page, 'Usuário editado!'), 'Fechar')
  await visitor.goto('/usuario?busca=davi')
  await main.getByText('Até 31/12/2099').filter({ visible: true }).first().waitFor()
  await settled(visitor, 'accounts with a last day')

  await visitor.goto(`/searchRelatorio?idUsuario=${person.idUsuario}`)
  await main.getByRole('heading', { name: `Relatórios de ${name}` }).waitFor()
  await main
    .getByRole('button', { name: /\d de \d|^\D+\d/ })
    .first()
    .click()
  await main.getByRole('checkbox').nth(1).check()
  await press(main, 'Salvar')
  const term = main.getByRole('button', { name: /^Prazo de .*: Sem prazo$/ }).first()
  await term.click()
  const dialog = dialogOf(page, 'Prazo do acesso')
  await dialog.getByLabel('Último dia', { exact: true }).fill('30/06/2099')
  await settled(visitor, 'the last day of a grant')
  await press(dialog, 'Gravar prazo')
  const saved = main.getByRole('button', { name: /: Até 30\/06\/2099$/ }).first()
  await saved.waitFor()
  await settled(visitor, 'a grant with a last day')
  const report = /^Prazo de (.*): Até/.exec((await saved.getAttribute('aria-label')) ?? '')?.[1]
  const why = main.getByRole('button', { name: `Vê ${report} por outro caminho?` })
  const [last, other] = await Promise.all([saved.boundingBox(), why.boundingBox()])
  if (!last || !other) throw new Error('The buttons of the row are not shown.')
  // They do not cover each other.
  expect(last.x + last.width <= other.x || last.y >= other.y + other.height).toBe(true)
  await visitor.close()
  await person.remove()
})
