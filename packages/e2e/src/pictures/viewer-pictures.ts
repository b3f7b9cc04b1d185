import { commentsApi, type ReportPerformance, reportPerformanceApi } from '@bi-manager/contract'
import type { Browser, Page } from 'playwright-core'
import { settled, waitForRendered } from '../browser/report-frame.ts'
import { openBrowserProfile, type Visitor } from '../browser/visitor.ts'
import { savedViews } from '../pages/viewer.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

/** Takes the pictures of favourites, views, export, subscriptions, alerts, comments and load times. */
export const shootViewer = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const { menu } = await signedInClient(portal, people.admin)
  const reports = reportsOf(await menu())
  const visitor = await openBrowserProfile(browser, { portal })
  const { page } = visitor
  const shoot = async (name: string) => {
    await page.waitForTimeout(SETTLING)
    await page.screenshot({ path: `${folder}${name}-desktop-light.png`, animations: 'disabled' })
  }
  const open = async (name: string, search = '') => {
    await visitor.goto(`${reports.find((report) => report.name === name)?.path ?? '/'}${search}`)
    return waitForRendered(page)
  }
  await visitor.goto('/')
  await visitor.signIn(people.admin)

  await open('Sinistralidade')
  for (const name of ['Ano a ano', 'Diretoria']) await saveView(page, name)
  await open('Sinistralidade', '?sexo=feminino')
  await saveView(page, 'Mulheres, todas as operadoras')
  await shoot('saved-views')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Exportar', exact: true }).click()
  await page.getByRole('dialog', { name: 'Exportar' }).waitFor()
  await shoot('export')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Assinar', exact: true }).click()
  await page.getByLabel('Assunto').waitFor()
  await shoot('subscribe')
  await page.keyboard.press('Escape')
  await page.getByRole('button', { name: 'Criar alerta', exact: true }).click()
  const alerts = page.getByRole('dialog', { name: 'Alertas' })
  await alerts.getByLabel('Visual').selectOption({ index: 1 })
  await alerts.getByLabel('Limite').fill('75')
  await shoot('alert')
  await page.keyboard.press('Escape')

  await open('Prestadores')
  await page.getByRole('button', { name: 'Assinar', exact: true }).click()
  await page.getByLabel('Planilha (XLSX)').check()
  await page.getByRole('group', { name: 'Visuais da planilha' }).scrollIntoViewIfNeeded()
  await shoot('subscribe-spreadsheet')
  await page.keyboard.press('Escape')

  await writeComments(portal)
  await open('Prestadores')
  await page.getByRole('button', { name: /^Comentários/ }).click()
  await page.getByRole('button', { name: '1 resposta' }).click()
  await page.getByRole('list', { name: 'Respostas' }).waitFor()
  await page.mouse.move(0, 0)
  await shoot('comments')

  const frame = await open('Sinistralidade')
  await openLevel(page, frame)
  await shoot('levels')

  for (const name of ['Sinistralidade', 'Prestadores', 'Internações']) {
    await open(name)
    await star(page)
  }
  await visitor.goto('/saidibi')
  await page.getByRole('main').getByRole('list', { name: 'Favoritos' }).waitFor()
  await shoot('favourites')

  await shootLoadTimes(visitor)
  await shoot('load-times')
  await shootRefreshes(page)
  await shoot('data-refreshes')
  await visitor.close()
}

/** Time (ms) for panels to slide in and charts to be rendered at their final size. */
const SETTLING = 900

async function saveView(page: Page, name: string) {
  const views = savedViews(page)
  if (!(await views.panel.isVisible())) await views.open()
  await views.startView(name)
  await views.save(name)
}

/** Drills down one level by keyboard. */
async function openLevel(page: Page, frame: Awaited<ReturnType<typeof waitForRendered>>) {
  await frame.getByRole('tab').nth(1).click()
  await settled(frame)
  const visual = frame.locator('[data-name=por_plano]')
  await visual.locator('.chart').focus()
  for (const key of ['ArrowDown', 'ArrowDown', 'ArrowDown', 'Enter']) await page.keyboard.press(key)
  await visual.getByText('por plano', { exact: false }).first().waitFor()
  // Blurs: the tooltip of one point would cover the others.
  await frame.evaluate(() => document.activeElement instanceof HTMLElement && document.activeElement.blur())
}

/** A thread of an ADMIN and Ana about a report that both see. */
async function writeComments(portal: string) {
  const [admin, ana] = [await signedInClient(portal, people.admin), await signedInClient(portal, people.ana)]
  const shared = reportsOf(await ana.menu()).find(({ name }) => name === 'Prestadores')
  const params = { id: shared?.idRelatorio ?? 0 }
  const [mentioned] = await admin.call(commentsApi.people, { params, query: { busca: people.ana.name } })
  const estado = {
    pagina: 'visao_geral',
    tituloPagina: 'Visão geral',
    filtros: { sexo: 'feminino' },
    marcador: null,
    temSelecoes: false,
  }
  const { idComentario: idConversa } = await admin.call(commentsApi.create, {
    params,
    body: {
      texto: `O custo por atendimento subiu em setembro. @{${mentioned?.idUsuario}}, você sabe por quê?`,
      estado,
    },
  })
  await ana.call(commentsApi.create, {
    params,
    body: { texto: 'Sim: dois prestadores novos entraram na rede, com uma tabela mais cara.', idConversa },
  })
}

async function star(page: Page) {
  const answered = page.waitForResponse(/\/favoritos\/\d+$/)
  await page.getByRole('button', { name: 'Pôr nos favoritos', exact: true }).click()
  await answered
}

/** A fresh demo has views of today only, so the chart shows made-up data, as the manual says. */
async function shootLoadTimes({ page, goto }: Visitor) {
  const path = reportPerformanceApi.get.url.replace(':id', '*')
  await page.route(`**/api${path}*`, (route) => route.fulfill({ json: month() }))
  await goto('/relatorio?busca=Sinistralidade')
  await page.getByRole('link', { name: 'Editar Sinistralidade', exact: true }).click()
  const section = page.getByRole('region', { name: 'Desempenho' })
  await section.getByText('Ver em números').waitFor()
  await section.scrollIntoViewIfNeeded()
}

/** Refreshes the data, so that the list also has a refresh that a person asked for. */
async function shootRefreshes(page: Page) {
  const section = page.getByRole('region', { name: 'Atualização dos dados' })
  await section.getByRole('button', { name: 'Atualizar agora', exact: true }).click()
  await section.getByRole('cell', { name: 'Concluída' }).nth(1).waitFor()
  await section.scrollIntoViewIfNeeded()
}

const DAY = 86_400_000

function month(): ReportPerformance {
  const days = Array.from({ length: 30 }, (_, at) => new Date(Date.now() - (29 - at) * DAY))
  const porDia = days
    .filter((day) => day.getUTCDay() % 6 !== 0)
    .map((day, at) => {
      const wave = Math.sin(at * 1.7) * 90 + Math.cos(at * 0.6) * 60
      return {
        dia: day.toISOString().slice(0, 10),
        visualizacoes: 34 + Math.round(wave / 8),
        pessoas: 12,
        carregado: { p50: Math.round(420 + wave / 2), p95: Math.round(620 + wave * 0.8) },
        renderizado: { p50: Math.round(840 + wave), p95: Math.round(1650 + wave * 2) },
      }
    })
  const [de = '', ate = ''] = [days[0], days.at(-1)].map((day) => day?.toISOString().slice(0, 10))
  const visualizacoes = porDia.reduce((sum, day) => sum + day.visualizacoes, 0)
  const total = {
    visualizacoes,
    pessoas: 27,
    carregado: { p50: 425, p95: 640 },
    renderizado: { p50: 845, p95: 1690 },
  }
  return { de, ate, total, porDia }
}
