import { callsOf, namedObject } from '../calls/endpoint.ts'
import { idList } from '../calls/fields.ts'
import { z } from '../calls/zod.ts'
import { namedReport } from './reports.ts'

/** A favourite report that the person may still view. */
export const Favorite = namedObject('Favorite', namedReport)
export type Favorite = z.infer<typeof Favorite>

/** Maximum number of favourites of one person. */
export const MAX_FAVORITES = 100

const FavoriteOrder = namedObject('FavoriteOrder', { ids: idList(MAX_FAVORITES) })

const response = { 200: z.array(Favorite) }

const { get, put, remove } = callsOf({ tag: 'Favoritos', permission: 'reports:view' })

export const favoritesApi = {
  list: get(
    '/usuarios/favoritos',
    'Os próprios favoritos, na ordem escolhida; só os que a pessoa ainda pode ver',
    { response },
  ),
  add: put('/usuarios/favoritos/:id', 'Põe um relatório no fim dos favoritos; de novo, nada muda', {
    response,
  }),
  remove: remove('/usuarios/favoritos/:id', 'Tira um relatório dos favoritos'),
  reorder: put(
    '/usuarios/favoritos',
    'Põe os favoritos nesta ordem; os que não são ditos ficam depois, como estavam',
    { body: FavoriteOrder, response },
  ),
}
