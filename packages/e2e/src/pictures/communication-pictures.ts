import { type AnnouncementDraft, accessRequestsApi, announcementsApi } from '@bi-manager/contract'
import type { Browser } from 'playwright-core'
import { openBrowserProfile } from '../browser/visitor.ts'
import { reportsOf, signedInClient } from '../people/api.ts'
import { people } from '../people/people.ts'

const dayMs = 86_400_000
const instantIn = (days: number): string => new Date(Date.now() + days * dayMs).toISOString()

const announcements: AnnouncementDraft[] = [
  {
    titulo: 'Os custos de outubro já estão nos relatórios',
    texto: 'A **Sinistralidade** agora inclui outubro. Dúvidas? Fale com a equipe de dados.',
    inicio: instantIn(-1),
    fim: instantIn(6),
    forma: 'FAIXA',
    manutencao: false,
    publico: 'TODOS',
    idPerfis: [],
  },
  {
    titulo: 'Oficina de indicadores em dezembro',
    texto: 'Inscrições até sexta-feira.',
    inicio: instantIn(-2),
    fim: instantIn(12),
    forma: 'SINO',
    manutencao: false,
    publico: 'USUARIOS',
    idPerfis: [],
  },
]

/** Takes the pictures of announcements and of the answer to a request for access. */
export const shootCommunication = async (browser: Browser, portal: string, folder: string): Promise<void> => {
  const admin = await signedInClient(portal, people.admin)
  const written = []
  for (const body of announcements) written.push(await admin.call(announcementsApi.create, { body }))
  const ana = await signedInClient(portal, people.ana)
  for (const { idAviso } of written) await ana.call(announcementsApi.markRead, { params: { id: idAviso } })
  const own = new Set(reportsOf(await ana.menu()).map(({ idRelatorio }) => idRelatorio))
  const wanted = reportsOf(await admin.menu()).find(({ idRelatorio }) => !own.has(idRelatorio))
  if (!wanted) throw new Error('ana may see every report')
  const { groupId, reportId } = wanted
  const motivo = 'Preparo a apresentação da diretoria sobre estes números.'
  await ana.call(accessRequestsApi.create, { body: { groupId, reportId, motivo } })

  const visitor = await openBrowserProfile(browser, { portal })
  const { page, main } = visitor
  const shoot = async (name: string) => {
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${folder}${name}-desktop-light.png`, animations: 'disabled' })
  }
  await visitor.enter(people.admin, '/avisos')
  await main.getByText('Oficina de indicadores').filter({ visible: true }).first().waitFor()
  await shoot('announcements')
  await visitor.goto('/pedidos-acesso')
  await main.getByRole('button', { name: 'Responder' }).first().click()
  await page.getByRole('dialog', { name: 'Responder ao pedido' }).waitFor()
  await shoot('access-request')
  await visitor.close()
}
