import { ApiProblem, reportsApi } from '@bi-manager/contract'
import { describe, expect, inject, test } from 'vitest'
import { dataOf, expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { expectAccessible, expectReadable, looks, visit } from '../../browser/visitor.ts'
import { goWithin, openAndAwaitView } from '../../browser/within-portal.ts'
import { press } from '../../pages/back-office.ts'
import { filterPanel } from '../../pages/viewer.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

const portal = inject('portal')
const reports = inject('reports')

describe('demo users', () => {
  test.each([
    ['admin', 10],
    ['ana', 3],
    ['helena', 3],
  ] as const)('%s signs in and opens every granted report', { timeout: 300_000 }, async (name, atLeast) => {
    const { menu } = await signedInClient(portal, people[name])
    const granted = reportsOf(await menu())
    expect(granted.length).toBeGreaterThanOrEqual(atLeast)

    const visitor = await visit()
    await visitor.goto('/')
    await visitor.signIn(people[name])
    // The content is checked in report-pages.journey.ts; here only that each report renders.
    for (const report of granted) {
      await openAndAwaitView(visitor.page, () => goWithin(visitor.page, report.path))
      const frame = await waitForRendered(visitor.page)
      await expectDrawn(frame, `${name}: ${report.name}`)
    }
    await expectAccessible(visitor.page, `${name}, in front of a report`)
    await visitor.close()
  })

  test('ana and helena have no report in common', async () => {
    const menus = await Promise.all(
      [people.ana, people.helena].map(async (person) => (await signedInClient(portal, person)).menu()),
    )
    const [ana = [], helena = []] = menus
    expect(ana).toHaveLength(2)
    const ids = new Set(reportsOf(ana).map(({ reportId }) => reportId))
    expect(reportsOf(helena).some(({ reportId }) => ids.has(reportId))).toBe(false)
  })
})

describe('the menu', () => {
  test.each(looks)('ana opens a report from it, on the $size', { timeout: 120_000 }, async (look) => {
    const { menu } = await signedInClient(portal, people.ana)
    const [workspace] = await menu()
    const [report] = workspace?.relatorios ?? []
    if (!workspace || !report) throw new Error('ana has no report')
    const visitor = await visit(look)
    const { page } = visitor
    await visitor.goto('/')
    await visitor.signIn(people.ana)
    if (look.size === 'phone') await press(page, /abrir menu/i)
    const nav = page.getByRole('navigation', { name: 'Relatórios Gerenciais' })
    await nav.getByRole('button', { name: workspace.workspace }).click()
    await nav.getByRole('link', { name: report.nome }).click()
    const frame = await waitForRendered(page)
    await expectDrawn(frame, report.nome)
    expect(new URL(page.url()).pathname).toBe(reportsOf([workspace])[0]?.path)
    await expectReadable(page, `viewer on the ${look.size}`)
    await visitor.close()
  })
})

describe('a report that is not granted', () => {
  test('a report that is not granted answers 403 through the API and a clear page in the browser', async () => {
    const helena = await signedInClient(portal, people.helena)
    const ana = await signedInClient(portal, people.ana)
    const [forbidden] = reportsOf(await ana.menu())
    if (!forbidden) throw new Error('ana has no report')
    const { groupId, reportId } = forbidden
    const refused = await helena
      .call(reportsApi.embed, { body: { groupId, reportId } })
      .catch((error: unknown) => error)
    expect(refused).toBeInstanceOf(ApiProblem)
    expect(refused).toMatchObject({ status: 403, codigo: 'relatorio_sem_permissao' })

    const visitor = await visit()
    visitor.expectComplaint(/403 \(Forbidden\)/)
    await visitor.enter(people.helena, forbidden.path)
    await visitor.page
      .getByText('Este relatório não está liberado para você', { exact: false })
      .first()
      .waitFor()
    await visitor.page.getByRole('button', { name: 'Tentar novamente' }).waitFor()
    expect(visitor.page.frames().some((frame) => frame.url().startsWith(reports))).toBe(false)
    await expectAccessible(visitor.page, 'not granted')
    await visitor.close()
  })
})

describe('row-level security', () => {
  const askData = async (reportId: string, token: string, path: string, body?: unknown) => {
    const response = await fetch(`${reports}/embed-api/reports/${reportId}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: {
        authorization: `EmbedToken ${token}`,
        ...(body ? { 'content-type': 'application/json' } : {}),
      },
      body: body ? JSON.stringify(body) : null,
    })
    return { status: response.status, body: await response.json() }
  }
  const operadora = { table: 'Sinistralidade', column: 'operadora' }

  test('helena sees only her operadora even without filters; an ADMIN sees all four', async () => {
    const helena = await signedInClient(portal, people.helena)
    const admin = await signedInClient(portal, people.admin)
    for (const { groupId, reportId } of reportsOf(await helena.menu())) {
      const values = async ({ call }: typeof helena) => {
        const { embedToken } = await call(reportsApi.embed, { body: { groupId, reportId } })
        const { body } = await askData(reportId, embedToken, '/values', { target: operadora })
        return body.values
      }
      expect(await values(helena)).toEqual(['CNU'])
      expect([...(await values(admin))].sort()).toEqual(['BRADESCO', 'CNU', 'PARANA_CLINICAS', 'SANTA_CASA'])
    }
  })

  test('a filter for another operadora returns no rows, and the token opens no other report', async () => {
    const helena = await signedInClient(portal, people.helena)
    const granted = reportsOf(await helena.menu())
    const [report, other] = granted
    if (!report || !other) throw new Error('helena needs two reports')
    const { embedToken } = await helena.call(reportsApi.embed, {
      body: { groupId: report.groupId, reportId: report.reportId },
    })
    const { body: definition } = await askData(report.reportId, embedToken, '')
    const page = definition.pages[0].name
    const filters = [{ target: operadora, filterType: 1, operator: 'In', values: ['BRADESCO'] }]
    const { status, body } = await askData(report.reportId, embedToken, '/data', { page, filters })
    expect(status).toBe(200)
    expect(JSON.stringify(body)).not.toContain('BRADESCO')
    expect((await askData(other.reportId, embedToken, '')).status).toBe(403)
  })

  test('clearing every filter in the browser leaves only her rows', { timeout: 120_000 }, async () => {
    const { menu } = await signedInClient(portal, people.helena)
    const [report] = reportsOf(await menu())
    if (!report) throw new Error('helena has no report')
    const visitor = await visit()
    const { page } = visitor
    await visitor.enter(people.helena, report.path)
    const before = await dataOf(await waitForRendered(page))
    const { panel, open, clear } = filterPanel(page)
    await open()
    await clear()
    await panel.getByText('Filtros removidos.').waitFor()
    const after = await dataOf(await waitForRendered(page))
    expect(after).toEqual(before)
    expect(JSON.stringify(after)).not.toMatch(/bradesco|paran|santa.casa/i)
    await visitor.close()
  })
})
