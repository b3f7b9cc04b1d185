import { reportRegistrationsApi, type Workspace, workspacesApi } from '@bi-manager/contract'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { expectReadable, settled } from '../../browser/visitor.ts'
import { administrator, press, unfold } from '../../pages/back-office.ts'
import { signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/* What all lists of the back office have in common. */

const portal = inject('portal')
const MARK = 'Jornada das listas'
const LONG = `${MARK} 1: ${'sinistralidade por unidade e por mês de competência, '.repeat(2)}por fim`
let admin: Awaited<ReturnType<typeof signedInClient>>
let workspace: Workspace

beforeAll(async () => {
  admin = await signedInClient(portal, people.admin)
  const [known] = await admin.call(workspacesApi.list)
  if (!known) throw new Error('the demo has no workspace')
  workspace = await admin.call(workspacesApi.create, {
    body: { nomeGrupo: MARK, idGrupo: crypto.randomUUID(), idPowerBi: known.idPowerBi },
  })
  const names = [`${MARK} 10`, `${MARK} 9`, LONG]
  await admin.call(reportRegistrationsApi.import, {
    params: { id: workspace.idGrupoRelatorio },
    body: {
      relatorios: names.map((nomeRelatorio) => ({
        reportId: crypto.randomUUID(),
        nomeRelatorio,
        operadoraRelatorio: 'CNU',
      })),
    },
  })
})
afterAll(async () => {
  const query = { idGrupoRelatorio: workspace.idGrupoRelatorio }
  for (const { idRelatorio: id } of await admin.call(reportRegistrationsApi.list, { query }))
    await admin.call(reportRegistrationsApi.remove, { params: { id } })
  await admin.call(workspacesApi.remove, { params: { id: workspace.idGrupoRelatorio } })
})

const listPath = () => `/relatorio?idGrupoRelatorio=${workspace.idGrupoRelatorio}`

test('a person chooses the columns of a list with the keyboard, and finds the choice again', {
  timeout: 90_000,
}, async () => {
  const visitor = await administrator(listPath())
  const { page, main } = visitor
  const headings = () => main.getByRole('columnheader').allTextContents()
  const all = ['Logo', 'Nome do relatório', 'Report ID', 'Workspace', 'Ação']
  await expect.poll(headings).toEqual(all)
  await main.getByRole('button', { name: 'Colunas' }).focus()
  await page.keyboard.press('Enter')
  const box = (name: string) => main.getByRole('checkbox', { name })
  await expect.poll(() => box('Logo').evaluate((one) => one === document.activeElement)).toBe(true)
  expect(await box('Nome do relatório').isDisabled()).toBe(true)
  await page.keyboard.press('Space')
  await expect.poll(headings).toEqual(all.slice(1))
  await settled(visitor, 'columns of a list')
  await page.keyboard.press('Escape')
  await box('Logo').waitFor({ state: 'hidden' })
  await page.reload()
  await expect.poll(headings).toEqual(all.slice(1))
  await visitor.goto('/workspace')
  await main.getByRole('columnheader', { name: 'Grupo ID' }).waitFor()
  await visitor.goto(listPath())
  await press(main, 'Colunas')
  await press(main, 'Mostrar todas')
  await expect.poll(headings).toEqual(all)
  await visitor.close()
})

test('names are in natural order and take two lines, with all of a longer one under the pointer', async () => {
  const visitor = await administrator(listPath())
  const { page, main } = visitor
  const names = main.getByRole('rowheader')
  await names.first().waitFor()
  const texts = await names.allTextContents()
  expect(texts.map((text) => text.replace(/CNU$/, ''))).toEqual([LONG, `${MARK} 9`, `${MARK} 10`])
  const cut = page.getByText(LONG, { exact: true })
  const lines = await cut.evaluate(
    (text) => text.clientHeight / parseFloat(getComputedStyle(text).lineHeight),
  )
  expect(lines).toBeCloseTo(2, 0)
  await cut.hover()
  expect(await cut.getAttribute('title')).toBe(LONG)
  const whole = page.getByText(`${MARK} 9`, { exact: true })
  await whole.hover()
  expect(await whole.getAttribute('title')).toBeNull()
  await visitor.close()
})

test('a list is the phone’s up to 1,023 pixels, and a table where the menu leaves it room', {
  timeout: 90_000,
}, async () => {
  const visitor = await administrator(listPath())
  const { page, main } = visitor
  const expectTable = async (width: number, isTable: boolean) => {
    await page.setViewportSize({ width, height: 800 })
    await expect.poll(() => main.getByRole('table').isVisible(), { message: `${width} pixels` }).toBe(isTable)
    await expect.poll(() => main.getByRole('list', { name: 'Relatórios' }).isVisible()).toBe(!isTable)
    await expectReadable(page, `list at ${width} pixels`)
  }
  for (const width of [1_023, 1_024]) await expectTable(width, false)
  for (const width of [1_279, 1_280]) await expectTable(width, true)
  await expectTable(900, false)
  await page.setViewportSize({ width: 1_024, height: 800 })
  await press(page, 'Fechar menu')
  await expectTable(1_024, true)
  await visitor.close()
})

test('on a phone the tools of a list and the other actions of its page are folded', async () => {
  const visitor = await administrator(listPath(), { size: 'phone' })
  const { main, page, look } = visitor
  await main.getByRole('listitem').first().waitFor()
  expect(await main.getByRole('button', { name: 'Exportar CSV' }).count()).toBe(0)
  expect(await main.getByRole('link', { name: 'Publicar um arquivo' }).count()).toBe(0)
  const top = await main
    .getByRole('list', { name: 'Relatórios' })
    .evaluate((list) => list.getBoundingClientRect().top)
  expect(top).toBeLessThan(viewportHalf)
  await unfold(main, look)
  await main.getByRole('button', { name: 'Exportar CSV' }).waitFor()
  await main.getByLabel('Ordenar por').selectOption('-nomeRelatorio')
  await expect.poll(() => main.getByRole('listitem').first().textContent()).toContain(`${MARK} 10`)
  await unfold(main, look, 'Mais ações')
  await main.getByRole('link', { name: 'Publicar um arquivo' }).waitFor()
  await expectReadable(page, 'unfolded tools')
  await visitor.close()
})

/** The first record is in the upper half of the phone's screen. */
const viewportHalf = 844 / 2
