import { callsOf, namedObject } from '../calls/endpoint.ts'
import { entity } from '../calls/entity.ts'
import { idField } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { namedReport } from './reports.ts'

/** The pages of 'BI Saúde' and the section itself: route without the slash → title. */
export const pageTitles = {
  analise: 'Análise de entregas',
  corporacoes: 'Comparativo de exames',
  painel: 'Painel de absenteísmo',
  'senhas-liberadas': 'Senhas liberadas',
  telemedicina: 'Telemedicina',
  perfil: 'Perfil populacional',
  'bi-saude': 'BI Saúde',
} as const

export const PageRoute = z.enum(Object.keys(pageTitles) as [keyof typeof pageTitles])
export type PageRoute = z.infer<typeof PageRoute>

/** A page and the report bound to it, if the caller may view that report. */
export const BoundPage = namedObject('BoundPage', {
  rota: PageRoute,
  titulo: z.string(),
  idRelatorio: z.number().int().nullable(),
  /** Null when none is bound, or the caller may not view it. */
  relatorio: z.object(namedReport).nullable(),
})
export type BoundPage = z.infer<typeof BoundPage>

/** A bound page; its titles are in the contract, so its table has no name. */
export const pageEntity = entity({
  kind: 'pagina',
  title: 'Página',
  list: 'paginas',
  path: '/paginas',
  permission: 'pages:manage',
  table: 'pagina',
  id: 'rota',
  actions: { 'page.bound': 'Ligou um relatório a uma página' },
  fields: {},
})

const params = z.object({ rota: PageRoute })

const { get, put } = callsOf({ tag: 'Páginas', permission: 'pages:read' })

export const pagesApi = {
  list: get('/paginas', 'As páginas do BI Saúde e o relatório ligado a cada uma', {
    response: { 200: z.array(BoundPage) },
  }),
  get: get('/paginas/:rota', 'Uma página e o relatório ligado a ela', {
    params,
    response: { 200: BoundPage },
  }),
  update: put('/paginas/:rota', 'Liga um relatório à página, ou nenhum', {
    permission: 'pages:manage',
    params,
    body: namedObject('PageBinding', { idRelatorio: idField('Escolha um relatório.').nullable() }),
    response: { 200: BoundPage },
  }),
}
