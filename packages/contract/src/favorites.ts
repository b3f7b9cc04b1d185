import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { idList } from './fields.ts'
import { RecordId } from './ids.ts'

/** A favourite report that the person may still view. */
export const Favorite = z
  .object({
    idRelatorio: z.number().int(),
    nomeRelatorio: z.string(),
    nomeGrupo: z.string(),
    groupId: z.string(),
    reportId: z.string(),
  })
  .meta({ id: 'Favorite' })
export type Favorite = z.infer<typeof Favorite>

/** Maximum number of favourites of one person. */
export const FAVORITES = 100

const FavoriteOrder = z.object({ ids: idList(FAVORITES) }).meta({ id: 'FavoriteOrder' })

const tag = 'Favoritos'
const permission = 'reports:view'
const params = z.object({ id: RecordId })
const response = { 200: z.array(Favorite) }

export const favoritesApi = {
  list: endpoint({
    method: 'GET',
    url: '/usuarios/favoritos',
    permission,
    tag,
    summary: 'Os próprios favoritos, na ordem escolhida; só os que a pessoa ainda pode ver',
    response,
  }),
  add: endpoint({
    method: 'PUT',
    url: '/usuarios/favoritos/:id',
    permission,
    tag,
    summary: 'Põe um relatório no fim dos favoritos; de novo, nada muda',
    params,
    response,
  }),
  remove: endpoint({
    method: 'DELETE',
    url: '/usuarios/favoritos/:id',
    permission,
    tag,
    summary: 'Tira um relatório dos favoritos',
    params,
    response: { 204: z.void() },
  }),
  reorder: endpoint({
    method: 'PUT',
    url: '/usuarios/favoritos',
    permission,
    tag,
    summary: 'Põe os favoritos nesta ordem; os que não são ditos ficam depois, como estavam',
    body: FavoriteOrder,
    response,
  }),
}
