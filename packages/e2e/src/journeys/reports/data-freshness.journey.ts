import { rename, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { waitForRendered } from '../../browser/report-frame.ts'
import { expectReadable, type Look, looks, settled, visit } from '../../browser/visitor.ts'
import { press } from '../../pages/back-office.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'
import { type Demo, startDemo } from '../../services/demo.ts'

/* How recent a report's data are, and their refresh. The tests share one demo, in this order. */

let demo: Demo
let report: { idRelatorio: number; path: string }
beforeAll(async () => {
  demo = await startDemo({}, inject('demoData'))
  const { menu } = await signedInClient(demo.portal, people.ana)
  const [first] = reportsOf(await menu())
  if (!first) throw new Error('Ana has no report')
  report = first
}, 180_000)
afterAll(() => demo?.stop())

const enter = async (look: Look, person: (typeof people)[keyof typeof people], path: string) => {
  const visitor = await visit({ portal: demo.portal, ...look })
  await visitor.enter(person, path)
  return visitor
}
/** Replaces a data file of each dataset by one that is no table. @returns restores them */
const breakData = async () => {
  const files = ['saude', 'saude-restrita'].map((dataset) =>
    join(demo.dataDir, 'reports/datasets', dataset, 'Mensalidades.parquet'),
  )
  for (const file of files) {
    await rename(file, `${file}.kept`)
    await writeFile(file, 'not a table')
  }
  return async () => {
    for (const file of files) await rename(`${file}.kept`, file)
  }
}
const refreshed = (page: Page) => page.getByText('Os dados foram atualizados.').waitFor({ timeout: 30_000 })

test("an ADMIN refreshes the data on the report's page, sees a failure, and lets Ana do so", {
  timeout: 120_000,
}, async () => {
  const visitor = await enter(looks[0], people.admin, `/RegisterworkspaceRelatorios/${report.idRelatorio}`)
  const { page } = visitor
  const section = page.getByRole('region', { name: 'Atualização dos dados' })
  // The publication of the data.
  await section.getByRole('cell', { name: 'Concluída' }).waitFor()
  await section.getByText(/a agenda está desligada/).waitFor()
  const used = section.getByText(/^Nas últimas 24 horas: \d+ atualizaç/)
  const countOf = async () => Number(/: (\d+)/.exec((await used.textContent()) ?? '')?.[1])
  const before = await countOf()
  await press(page, 'Atualizar agora')
  await refreshed(page)
  await section.getByRole('cell', { name: 'Concluída' }).nth(1).waitFor()
  await expect.poll(countOf).toBe(before + 1)

  const repair = await breakData()
  await press(page, 'Atualizar agora')
  await section.getByRole('cell', { name: 'Falhou' }).waitFor({ timeout: 30_000 })
  const cause = section.getByRole('cell', {
    name: /^Um arquivo de dados ou a definição do conjunto não pôde ser lido/,
  })
  await cause.getByText('Código: ModelRefresh_DataSourceError').waitFor()
  await repair()
  await section.getByRole('combobox', { name: 'Quem mais pode atualizar' }).fill('Ana Martins')
  await page.getByRole('option', { name: /Ana Martins/ }).click()
  await section.getByRole('button', { name: 'Retirar Ana Martins' }).waitFor()
  await settled(visitor, 'refreshes of a report')
  await visitor.close()
})

test.each(looks)(
  'Ana sees the time of the data, refreshes them and loads them, on the $size',
  { timeout: 120_000 },
  async (look) => {
    const visitor = await enter(look, people.ana, report.path)
    const { page } = visitor
    await waitForRendered(page)
    await page.getByText(/^Dados de \d\d\/\d\d \d\d:\d\d$/).waitFor()
    const spoken = page.getByText(/^Dados de .+ de \d{4} às \d\d:\d\d \(horário de Brasília\)$/)
    expect(await spoken.count()).toBe(1)
    await press(page, 'Atualizar dados')
    await expectReadable(page, `refresh from the viewer on the ${look.size}`)
    await press(page, 'Atualizar agora')
    await page.getByText('Há dados novos.').waitFor()
    await page.getByRole('dialog', { name: 'Atualizar dados' }).waitFor({ state: 'hidden' })
    // Not `settled`: another layout opens the report again, with the new data.
    await expectReadable(page, `offer of new data on the ${look.size}`)
    await press(page, 'Carregar')
    await page.getByText('Há dados novos.').waitFor({ state: 'hidden' })
    await waitForRendered(page)
    await visitor.close()
  },
)

test('the bell has one notification of the failure, with its cause', { timeout: 120_000 }, async () => {
  const visitor = await enter(looks[0], people.admin, '/notificacoes')
  const failure = visitor.main.getByRole('listitem').filter({ hasText: 'ModelRefresh_DataSourceError' })
  await failure.first().waitFor({ timeout: 90_000 })
  expect(await failure.count()).toBe(1)
  await visitor.close()
})
