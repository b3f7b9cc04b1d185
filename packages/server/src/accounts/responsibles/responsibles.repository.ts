import type { ListQuery, Responsible } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'

export const listResponsibles = (db: Db, query: ListQuery<'nomeResponsavel'>) =>
  listPage(
    db,
    db
      .selectFrom('responsavel')
      .select(['idResponsavel', 'nomeResponsavel'])
      .$if(!!query.busca, (matching) => matching.where(containsWords(['nomeBusca'], query.busca ?? ''))),
    { query, orders: { nomeResponsavel: ['nomeNatural', 'idResponsavel'] }, byDefault: 'nomeResponsavel' },
  )

export const insertResponsible = (tx: Db, draft: { nomeResponsavel: string }): Promise<Responsible> =>
  tx
    .insertInto('responsavel')
    .values(draft)
    .returning(['idResponsavel', 'nomeResponsavel'])
    .executeTakeFirstOrThrow()
