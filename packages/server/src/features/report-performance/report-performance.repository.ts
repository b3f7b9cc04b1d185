import type { ReportPerformance } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../db/open-database.ts'

interface Row {
  dia: string | null
  visualizacoes: number
  pessoas: number
  carregado50: number
  carregado95: number
  renderizado50: number
  renderizado95: number
}

/**
 * Returns the load times of a report since a day: one row per day and a total, in one query.
 * @param de the first day (America/Sao_Paulo), yyyy-mm-dd
 */
export const readPerformance = async (
  db: Db,
  idRelatorio: number,
  de: string,
): Promise<Pick<ReportPerformance, 'total' | 'porDia'>> => {
  const { rows } = await sql<Row>`
    select to_char(dia, 'YYYY-MM-DD') as dia,
      count(*)::int as visualizacoes, count(distinct id_usuario)::int as pessoas,
      percentile_cont(0.5) within group (order by carregado_ms) as carregado50,
      percentile_cont(0.95) within group (order by carregado_ms) as carregado95,
      percentile_cont(0.5) within group (order by renderizado_ms) as renderizado50,
      percentile_cont(0.95) within group (order by renderizado_ms) as renderizado95
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
  for (const row of rows) {
    if (row.dia !== null) porDia.push({ dia: row.dia, ...timesOf(row) })
    // Without views the total is a row without percentiles.
    else if (row.visualizacoes > 0) total = timesOf(row)
  }
  return { total, porDia }
}

const timesOf = ({ visualizacoes, pessoas, ...ms }: Row) => ({
  visualizacoes,
  pessoas,
  carregado: { p50: Math.round(ms.carregado50), p95: Math.round(ms.carregado95) },
  renderizado: { p50: Math.round(ms.renderizado50), p95: Math.round(ms.renderizado95) },
})

export const reportExists = async (db: Db, idRelatorio: number): Promise<boolean> => {
  const row = await db
    .selectFrom('relatorio')
    .select('idRelatorio')
    .where('idRelatorio', '=', idRelatorio)
    .executeTakeFirst()
  return row !== undefined
}
