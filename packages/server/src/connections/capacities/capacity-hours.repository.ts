import type { CapacityHours } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import type { WholeList } from '../../platform/db/queries/list-page.ts'

/** Hours of use in spans that begin at these local days, and last a day or a month. */
const hoursIn = async (
  db: Db,
  idCapacidade: number,
  { from, to, unit }: { from: string; to: string; unit: 'day' | 'month' },
): Promise<{ inicio: string; horas: number }[]> => {
  const step = sql.raw(`interval '1 ${unit}'`)
  const { rows } = await sql<{ inicio: string; horas: number }>`
    with trecho as (
      select dia::date::text as dia, dia at time zone 'America/Sao_Paulo' as de,
        (dia + ${step}) at time zone 'America/Sao_Paulo' as ate
      from generate_series(${from}::date::timestamp, ${to}::date::timestamp, ${step}) dia
    )
    select dia as inicio, round(coalesce(sum(extract(epoch from
        least(fim, ate) - greatest(inicio, de))) filter (where fim is not null), 0) / 3600, 2)::float8 as horas
    from trecho left join capacidade_periodo
      on id_capacidade = ${idCapacidade} and inicio < ate and fim > de
    group by dia order by dia`.execute(db)
  return rows
}

/**
 * Returns the hours of each day of the month, and of twelve months.
 * @param mes yyyy-mm
 * @param hoje the last day shown, yyyy-mm-dd
 */
export const readHours = async (
  db: Db,
  idCapacidade: number,
  { mes, hoje }: { mes: string; hoje: string },
): Promise<CapacityHours> => {
  const last = lastDayOf(mes)
  const to = hoje < last ? hoje : last
  const [days, months] = await Promise.all([
    hoursIn(db, idCapacidade, { from: `${mes}-01`, to, unit: 'day' }),
    hoursIn(db, idCapacidade, { from: monthBefore(hoje, 11), to: hoje, unit: 'month' }),
  ])
  return {
    dias: days.map(({ inicio, horas }) => ({ dia: inicio, horas })),
    meses: months.map(({ inicio, horas }) => ({ mes: inicio.slice(0, 7), horas })),
  }
}

const isoOf = (date: Date): string => date.toISOString().slice(0, 10)

const lastDayOf = (month: string): string =>
  isoOf(new Date(Date.UTC(Number(month.slice(0, 4)), Number(month.slice(5, 7)), 0)))

/** Returns the first day of the month that was `count` months earlier. */
const monthBefore = (day: string, count: number): string =>
  isoOf(new Date(Date.UTC(Number(day.slice(0, 4)), Number(day.slice(5, 7)) - 1 - count, 1)))

/** Returns all periods in which the capacity was seen running, oldest first. */
export const exportPeriods = async (db: Db, idCapacidade: number): Promise<WholeList<object>> => {
  const periods = await db
    .selectFrom('capacidadePeriodo')
    .select(['inicio', 'fim', 'sku'])
    .where('idCapacidade', '=', idCapacidade)
    .orderBy('inicio')
    .execute()
  async function* rows() {
    for (const period of periods) {
      const hours = (period.fim.getTime() - period.inicio.getTime()) / 3_600_000
      yield { ...period, horas: hours.toLocaleString('pt-BR', { maximumFractionDigits: 2 }) }
    }
  }
  return { count: periods.length, rows: rows() }
}
