import type { ReportPerformance } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { hasRow } from '../../platform/db/queries/outcomes.ts'

type Views = NonNullable<ReportPerformance['total']>

/**
 * Returns the load times of a report since a day: one row per day and a total, in one query.
 * @param de the first day (America/Sao_Paulo), yyyy-mm-dd
 */
export const readPerformance = async (
  db: Db,
  idRelatorio: number,
  de: string,
): Promise<Pick<ReportPerformance, 'total' | 'porDia'>> => {
  const { rows } = await sql<Views & { dia: string | null }>`
    select to_char(dia, 'YYYY-MM-DD') as dia,
      count(*)::int as visualizacoes, count(distinct id_usuario)::int as pessoas,
      ${percentilesOf('carregado_ms')} as carregado, ${percentilesOf('renderizado_ms')} as renderizado
    from (
      select (quando at time zone 'America/Sao_Paulo')::date as dia, id_usuario, carregado_ms, renderizado_ms
      from visualizacao
      where id_relatorio = ${idRelatorio}
        and quando >= (${de}::date::timestamp at time zone 'America/Sao_Paulo')
    ) vistas
    group by grouping sets ((dia), ())
    order by dia`.execute(db)
  const porDia: ReportPerformance['porDia'] = []
  let total: ReportPerformance['total'] = null
  for (const { dia, ...views } of rows) {
    if (dia !== null) porDia.push({ dia, ...views })
    // Without views the total is a row without percentiles.
    else if (views.visualizacoes > 0) total = views
  }
  return { total, porDia }
}

const percentilesOf = (column: string) => sql`json_build_object(
  'p50', round(percentile_cont(0.5) within group (order by ${sql.ref(column)})::numeric),
  'p95', round(percentile_cont(0.95) within group (order by ${sql.ref(column)})::numeric))`

export const reportExists = (db: Db, idRelatorio: number): Promise<boolean> =>
  hasRow(db.selectFrom('relatorio').select('idRelatorio').where('idRelatorio', '=', idRelatorio))
