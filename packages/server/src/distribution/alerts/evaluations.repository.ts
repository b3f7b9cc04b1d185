import type { AlertEvaluation, ListQuery } from '@bi-manager/contract'
import { type Insertable, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { listPage } from '../../platform/db/queries/list-page.ts'
import type { Tables } from '../../platform/db/types.ts'

type Column = 'idAvaliacao' | 'em' | 'resultado' | 'valor' | 'anterior' | 'frase' | 'duracaoMs' | 'alcance'
const columns: Column[] = [
  'idAvaliacao',
  'em',
  'resultado',
  'valor',
  'anterior',
  'frase',
  'duracaoMs',
  'alcance',
]

const deliveries = sql<(AlertEvaluation['envios'][number] & { em: string })[]>`coalesce((
  select json_agg(json_build_object('canal', canal, 'estado', estado, 'motivo', motivo, 'em', em) order by canal)
  from alerta_envio e where e.id_avaliacao = alerta_avaliacao.id_avaliacao), '[]'::json)`

/**
 * Returns a page of the evaluations, newest first.
 * @param alcance what determines the values that the reader may see; undefined: none of them
 */
export const listEvaluations = async (
  db: Db,
  { idAlerta, alcance }: { idAlerta: number; alcance: string | undefined },
  query: ListQuery<never>,
) => {
  const matching = db
    .selectFrom('alertaAvaliacao')
    .select(columns)
    .select(deliveries.as('envios'))
    .where('idAlerta', '=', idAlerta)
  const page = await listPage(db, matching, {
    query: { ...query, ordem: '-idade' },
    orders: { idade: ['idAvaliacao'] },
    byDefault: '-idade',
  })
  return {
    ...page,
    rows: page.rows.map(({ alcance: of, valor, anterior, ...row }): AlertEvaluation => {
      const isShown = of !== null && of === alcance
      return {
        ...row,
        valor: isShown ? valor : null,
        anterior: isShown ? anterior : null,
        em: row.em.toISOString(),
        envios: row.envios.map((sent) => ({ ...sent, em: new Date(sent.em).toISOString() })),
      }
    }),
  }
}

export const insertEvaluation = async (
  tx: Db,
  evaluation: Insertable<Tables['alertaAvaliacao']>,
): Promise<number> => {
  const { idAvaliacao } = await tx
    .insertInto('alertaAvaliacao')
    .values(evaluation)
    .returning('idAvaliacao')
    .executeTakeFirstOrThrow()
  return idAvaliacao
}
