import type { TestApp } from '@bi-manager/server/test/test-app'
import { sql } from 'kysely'
import { fillDatabase } from './scale-data.ts'

export interface UsageSize {
  users: number
  reports: number
  workspaces: number
  views: number
}

/** Days over which the views are spread, up to today: the default retention. */
const days = 400

const daysPerTransaction = 5

/** Reports that one person opens. */
const reportsPerReader = 20

/**
 * Fills an empty database with the sums of views, by the statements of the trigger, and with pages,
 * filters, exports and errors of reports per day and month. Of the views themselves, a tenth is
 * stored, and 2,000 of the ADMIN. The people are in ten profiles.
 */
export const fillUsage = async (app: TestApp, { users, reports, workspaces, views }: UsageSize) => {
  const { db } = app
  const { admin } = await fillDatabase(app, {
    users,
    reports,
    workspaces,
    grants: users,
    grantsOfReader: 20,
  })
  await sql`insert into perfil (nome_perfil) select 'Perfil ' || n from generate_series(1, 10) n`.execute(db)
  await sql`insert into perfil_usuario (id_perfil, id_usuario)
    select (select min(id_perfil) from perfil) + id_usuario % 10, id_usuario from usuario`.execute(db)
  const viewsPerTransaction = Math.round((views * daysPerTransaction) / days)
  const firstReport = sql`(select min(id_relatorio) from relatorio)`
  // From the newest day on, so that the last view of each reader is written once.
  for (let from = daysPerTransaction; from <= days; from += daysPerTransaction) {
    await db.transaction().execute(async (tx) => {
      await sql`set local statement_timeout = 0`.execute(tx)
      await sql`create temp table vistas on commit drop as
        select now() - make_interval(secs => 86400 * (${from}::float8 - ${daysPerTransaction}::float8 * n / ${viewsPerTransaction}::float8)) as quando,
          1 + p as id_usuario, ${firstReport} + (p * 7 + (random() * ${reportsPerReader - 1})::int) % ${reports}::int as id_relatorio,
          600 + (random() * random() * 9000)::int as renderizado_ms
        from (
          select n, (random() * ${users - 1})::int as p from generate_series(1, ${viewsPerTransaction}::int) n offset 0
        ) sorteio`.execute(tx)
      await sql`do $$ begin
        execute sql_soma_uso('uso_relatorio', 'id_relatorio', 'vistas');
        execute sql_soma_uso('uso_pessoa', 'id_usuario', 'vistas');
        execute sql_leitores_uso('vistas');
      end $$`.execute(tx)
      // Without the trigger, which would count them again.
      await sql`alter table visualizacao disable trigger user`.execute(tx)
      await sql`insert into visualizacao (quando, id_usuario, id_relatorio, carregado_ms, renderizado_ms)
        select quando, id_usuario, id_relatorio, 500, renderizado_ms from vistas
        where random() < 0.1 order by quando`.execute(tx)
      await sql`alter table visualizacao enable trigger user`.execute(tx)
    })
  }
  await sql`insert into visualizacao (quando, id_usuario, id_relatorio, carregado_ms, renderizado_ms)
    select now() - make_interval(mins => n * 250), ${admin.idUsuario}::int, ${firstReport} + n % 20, 500, 900
    from generate_series(1, 2000) n`.execute(db)
  for (const monthly of [false, true]) {
    await sql`insert into uso_evento (mensal, inicio, tipo, id_relatorio, nome, total)
      select ${monthly}, inicio, tipo, id_relatorio, tipo || ' ' || n, 10 + n
      from (
        select distinct date_trunc(${monthly ? 'month' : 'day'}, dia)::date as inicio
        from generate_series(now() - make_interval(days => ${days}), now(), '1 day') dia
      ) periodos cross join relatorio cross join (values ('pagina'), ('filtro'), ('exportacao'), ('erro')) tipos (tipo)
      cross join generate_series(1, 4) n`.execute(db)
  }
  await sql`vacuum (analyze)`.execute(db)
  return { admin }
}
