import type { UsageDetailKind } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { dayOf } from '../../platform/lib/local-time.ts'

interface UsageEvent {
  tipo: UsageDetailKind
  /** A name (page, table and column, format, code), never a filter's value. */
  nome: string
}

interface Use {
  idUsuario: number
  idRelatorio: number
  events: UsageEvent[]
}

/** Names of one kind that a report keeps per day and month: clients invent them. */
const namesKept = 300
const otherNames = 'outros'

/** Both periods of which sums are kept. */
const periods = (day: string) => sql`(values (false, ${day}::date),
  (true, date_trunc('month', ${day}::date::timestamp)::date)) periodos (mensal, inicio)`

/**
 * Adds events to the sums of the day and the month. The tables are locked in the order of the
 * trigger that adds views, so that both do not deadlock.
 */
export const addUsageEvents = async (
  tx: Db,
  { idUsuario, idRelatorio, events }: Use,
  now: Date,
): Promise<void> => {
  const day = dayOf(now)
  const numberOf = (tipo: UsageDetailKind) => events.filter((event) => event.tipo === tipo).length
  const [paginas, erros] = [numberOf('pagina'), numberOf('erro')]
  if (paginas + erros > 0) {
    await addCounts(tx, { table: 'uso_relatorio', key: 'id_relatorio', id: idRelatorio }, day, paginas, erros)
    await addCounts(tx, { table: 'uso_pessoa', key: 'id_usuario', id: idUsuario }, day, paginas, erros)
  }
  await sql`
    insert into uso_evento (mensal, inicio, tipo, id_relatorio, nome, total)
    select mensal, inicio, tipo, ${idRelatorio}::int, nome, count(*)
    from (
      select mensal, inicio, tipo, case when
        exists (
          select from uso_evento u where (u.mensal, u.inicio, u.tipo, u.id_relatorio, u.nome)
            = (periodos.mensal, periodos.inicio, eventos.tipo, ${idRelatorio}::int, eventos.nome)
        ) or ${namesKept}::int > (
          select count(*) from uso_evento u where (u.mensal, u.inicio, u.tipo, u.id_relatorio)
            = (periodos.mensal, periodos.inicio, eventos.tipo, ${idRelatorio}::int)
        ) then nome else ${otherNames}::text end as nome
      from unnest(${events.map(({ tipo }) => tipo)}::text[], ${events.map(({ nome }) => nome)}::text[]) eventos (tipo, nome)
      cross join ${periods(day)}
    ) nomeados
    group by mensal, inicio, tipo, nome order by mensal, inicio, tipo, nome
    on conflict (mensal, inicio, tipo, id_relatorio, nome)
    do update set total = uso_evento.total + excluded.total`.execute(tx)
}

interface Target {
  table: 'uso_relatorio' | 'uso_pessoa'
  key: 'id_relatorio' | 'id_usuario'
  id: number
}

const addCounts = async (
  tx: Db,
  { table, key, id }: Target,
  day: string,
  paginas: number,
  erros: number,
): Promise<void> => {
  await sql`
    insert into ${sql.table(table)} (mensal, inicio, ${sql.ref(key)}, paginas, erros)
    select mensal, inicio, ${id}::int, ${paginas}::int, ${erros}::int from ${periods(day)} order by mensal
    on conflict (mensal, inicio, ${sql.ref(key)}) do update
    set paginas = ${sql.table(table)}.paginas + excluded.paginas, erros = ${sql.table(table)}.erros + excluded.erros`.execute(
    tx,
  )
}
