import { favoritesApi, grantsApi, pagesApi, reportsApi } from '@bi-manager/contract'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { settled, viewports, visit } from '../../browser/visitor.ts'
import { signedInClient } from '../../people/api.ts'
import { createManyReports, REPORTS_EACH, WORKSPACES } from '../../people/many-reports.ts'
import { people } from '../../people/people.ts'

/* The home page of a person with 300 reports in 20 workspaces. */

const portal = inject('portal')
const SHOWN_EACH = 6
let many: Awaited<ReturnType<typeof createManyReports>>

beforeAll(async () => {
  many = await createManyReports(portal)
}, 120_000)
afterAll(() => many.remove())

/**
 * Grants the reader 20 workspaces, one of which the provider knows, and gives them favourites and
 * recently opened reports.
 */
const useReports = async () => {
  const [workspace] = await (await signedInClient(portal, people.ana)).menu()
  if (!workspace) throw new Error('Ana has no workspace')
  const known = workspace.relatorios.slice(0, 4)
  const ids = [...many.reports.slice(REPORTS_EACH), ...known].map(({ idRelatorio }) => idRelatorio)
  await many.admin.call(grantsApi.replace, {
    params: { idUsuario: many.reader.idUsuario },
    body: { idRelatorios: ids },
  })
  const { call } = await signedInClient(portal, many.reader)
  for (const id of ids.slice(0, 4)) await call(favoritesApi.add, { params: { id } })
  for (const { idRelatorio: id, reportId } of known) {
    await call(reportsApi.embed, {
      body: { groupId: workspace.groupId, reportId, idRelatorio: id },
    })
    await call(reportsApi.recordView, { params: { id }, body: { carregadoMs: 900, renderizadoMs: 1_500 } })
  }
}

const sizeOf = (page: Page) =>
  page.evaluate(() => ({
    height: document.documentElement.scrollHeight,
    elements: document.querySelectorAll('*').length,
  }))

/** Measures the page once it stays the same for a second: its parts arrive one after another. */
const measure = async (page: Page) => {
  for (let last = await sizeOf(page); ; ) {
    await page.waitForTimeout(1_000)
    const next = await sizeOf(page)
    if (next.elements === last.elements && next.height === last.height) return next
    last = next
  }
}

test('300 reports in 20 workspaces take two screens and less than 1,200 elements', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit()
  const { page, main } = visitor
  // The provider does not know the reports: a link under the pointer is prepared in vain.
  visitor.expectComplaint(/502 .*\/embed/)
  await visitor.enter(many.reader, '/saidibi')
  await main.getByRole('heading', { name: 'Jornada: unidade 20' }).waitFor()
  expect(await main.getByRole('heading', { level: 3 }).allTextContents()).toEqual(
    Array.from({ length: WORKSPACES }, (_, index) => `Jornada: unidade ${index + 1}`),
  )
  const card = main.getByRole('listitem').filter({ has: page.getByRole('heading', { level: 3 }) })
  for (const links of await card.all()) expect(await links.getByRole('link').count()).toBe(SHOWN_EACH)
  const { height, elements } = await measure(page)
  expect(height).toBeLessThanOrEqual(2 * viewports.desktop.height)
  expect(elements).toBeLessThan(1_200)
  await settled(visitor, 'home with 300 reports')

  await main.getByRole('button', { name: `Ver todos (${REPORTS_EACH}) de Jornada: unidade 20` }).click()
  await main.getByRole('link', { name: `Jornada: relatório ${REPORTS_EACH}` }).waitFor()
  await visitor.close()
})

test('the home page of an administrator of these reports stays below 1,200 elements', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit()
  await visitor.enter(people.admin, '/saidibi')
  await visitor.main.getByRole('heading', { name: 'Jornada: unidade 1', exact: true }).waitFor()
  expect((await measure(visitor.page)).elements).toBeLessThan(1_200)
  await visitor.close()
})

test('a page of BI Saúde appears for a reader only while a report of theirs is bound', {
  timeout: 120_000,
}, async () => {
  const visitor = await visit()
  const { page, main } = visitor
  const tile = main.getByRole('link', { name: 'Comparativo de exames' })
  const open = async () => {
    await visitor.enter(many.reader, '/saidibi')
    await main.getByRole('heading', { name: 'Jornada: unidade 20' }).waitFor()
    await measure(page)
  }
  const before = await many.admin.call(pagesApi.get, { params: { rota: 'corporacoes' } })
  const bind = (idRelatorio: number | null) =>
    many.admin.call(pagesApi.update, { params: { rota: 'corporacoes' }, body: { idRelatorio } })
  try {
    await bind(null)
    await open()
    expect(await tile.count()).toBe(0)
    await bind(many.reports[0]?.idRelatorio ?? null)
    await open()
    await tile.waitFor()
  } finally {
    await bind(before.relatorio?.idRelatorio ?? null)
  }
  await visitor.close()
})

test('20 workspaces still take two screens below favourites and recent reports', {
  timeout: 120_000,
}, async () => {
  await useReports()
  const visitor = await visit()
  const { page, main } = visitor
  visitor.expectComplaint(/502 .*\/embed/)
  await visitor.enter(many.reader, '/saidibi')
  for (const name of ['Favoritos', 'Relatórios recentes', 'Jornada: unidade 20'])
    await main.getByRole('heading', { name }).waitFor()
  const { height, elements } = await measure(page)
  expect(height).toBeLessThanOrEqual(2 * viewports.desktop.height)
  expect(elements).toBeLessThan(1_200)
  await settled(visitor, 'home with favourites and recents')
  await visitor.close()
})
