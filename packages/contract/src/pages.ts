import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { entity } from './entity.ts'
import { idField } from './fields.ts'

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
export const BoundPage = z
  .object({
    rota: PageRoute,
    titulo: z.string(),
    idRelatorio: z.number().int().nullable(),
    /** Null when none is bound, or the caller may not view it. */
    relatorio: z
      .object({
        idRelatorio: z.number().int(),
        nomeRelatorio: z.string(),
        nomeGrupo: z.string(),
        groupId: z.string(),
        reportId: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'BoundPage' })
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

const tag = 'Páginas'
const params = z.object({ rota: PageRoute })

export const pagesApi = {
  list: endpoint({
    method: 'GET',
    url: '/paginas',
    permission: 'pages:read',
    tag,
    summary: 'As páginas do BI Saúde e o relatório ligado a cada uma',
    response: { 200: z.array(BoundPage) },
  }),
  get: endpoint({
    method: 'GET',
    url: '/paginas/:rota',
    permission: 'pages:read',
    tag,
    summary: 'Uma página e o relatório ligado a ela',
    params,
    response: { 200: BoundPage },
  }),
  update: endpoint({
    method: 'PUT',
    url: '/paginas/:rota',
    permission: 'pages:manage',
    tag,
    summary: 'Liga um relatório à página, ou nenhum',
    params,
    body: z.object({ idRelatorio: idField('Escolha um relatório.').nullable() }).meta({ id: 'PageBinding' }),
    response: { 200: BoundPage },
  }),
}
