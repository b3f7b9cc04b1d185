import type { UsageGrouping } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import { isCurrent } from '../../platform/db/queries/expiry.ts'
import type { Period } from './usage-period.ts'

/** The columns of the histogram: views by range of their time to rendered. */
const ranges = Array.from({ length: 16 }, (_, range) => sql.ref(`t${range}`))

/** All summed columns, as a select list. */
export const summed = sql.join([
  ...['visualizacoes', 'paginas', 'erros'].map(
    (column) => sql`sum(${sql.ref(column)})::int as ${sql.ref(column)}`,
  ),
  ...ranges.map((range) => sql`sum(${range})::bigint as ${range}`),
])

/** Returns the percentile of the time to rendered of a summed row. */
export const percentile = (fraction: number): RawBuilder<number | null> =>
  sql<number | null>`percentil_tempo(array[${sql.join(ranges)}], ${sql.lit(fraction)})`

/** Returns the rows of a period: days up to the first whole month, then months. */
export const partsOf = (
  table: 'uso_relatorio' | 'uso_pessoa' | 'uso_evento',
  { de, mesesDesde }: Period,
) => sql`(
  select * from ${sql.table(table)} where not mensal and inicio >= ${de}::date and inicio < ${mesesDesde}::date
  union all
  select * from ${sql.table(table)} where mensal and inicio >= ${mesesDesde}::date
) partes`

interface GroupQueries {
  /** `id` and the summed columns. */
  sums: RawBuilder<unknown>
  /** `id` and `leitores`. */
  readers: RawBuilder<unknown>
  /**
   * `id`, `nome`, `nome_natural`, `detalhe`, and both folded for the search: `nome_busca`, and
   * `detalhe_busca` or the e-mail of a person, `email_busca`.
   */
  names: RawBuilder<unknown>
  /** Name of a record that no longer exists. */
  deleted: RawBuilder<string>
}

/** Returns the queries whose rows, joined by `id`, are the usage of each report, workspace, … */
export const groupQueries = (por: UsageGrouping, period: Period): GroupQueries => {
  const { de } = period
  switch (por) {
    case 'relatorio':
      return {
        sums: sql`select id_relatorio as id, ${summed} from ${partsOf('uso_relatorio', period)} group by 1`,
        readers: sql`select id_relatorio as id, count(*)::int as leitores from uso_leitor
          where ultimo >= ${de}::date group by 1`,
        names: sql`select id_relatorio as id, nome_relatorio as nome, nome_grupo as detalhe, r.nome_busca,
            r.nome_natural, g.nome_busca as detalhe_busca
          from relatorio r join grupo_relatorio g using (id_grupo_relatorio)`,
        deleted: sql<string>`'Relatório nº ' || id || ' (excluído)'`,
      }
    case 'workspace':
      return {
        sums: sql`select id_grupo_relatorio as id, ${summed} from ${partsOf('uso_relatorio', period)}
          join relatorio using (id_relatorio) group by 1`,
        readers: sql`select id, count(*)::int as leitores from (
            select distinct id_grupo_relatorio as id, id_usuario from uso_leitor
            join relatorio using (id_relatorio) where ultimo >= ${de}::date
          ) pares group by 1`,
        names: sql`select id_grupo_relatorio as id, nome_grupo as nome, null::text as detalhe, nome_busca,
            nome_natural, null::text as detalhe_busca
          from grupo_relatorio`,
        deleted: sql<string>`''`,
      }
    case 'pessoa':
      return {
        sums: sql`select id_usuario as id, ${summed} from ${partsOf('uso_pessoa', period)} group by 1`,
        readers: sql`select id_usuario as id, count(*)::int as leitores from uso_leitor
          where ultimo >= ${de}::date group by 1`,
        names: sql`select id_usuario as id, nome_usuario as nome, email_usuario as detalhe, nome_busca,
            nome_natural, email_busca
          from usuario`,
        deleted: sql<string>`'Pessoa nº ' || id || ' (excluída)'`,
      }
    case 'perfil':
      return {
        sums: sql`select id_perfil as id, ${summed} from (
            select id_usuario, ${summed} from ${partsOf('uso_pessoa', period)} group by 1
          ) pessoas join perfil_usuario pu using (id_usuario) where ${isCurrent('pu.venceEm')} group by 1`,
        readers: sql`select id, count(*)::int as leitores from (
            select distinct id_perfil as id, id_usuario from perfil_usuario pu
            join (select distinct id_usuario from uso_leitor where ultimo >= ${de}::date) ativos using (id_usuario)
            where ${isCurrent('pu.venceEm')}
          ) pares group by 1`,
        names: sql`select id_perfil as id, nome_perfil as nome, null::text as detalhe, nome_busca,
            nome_natural, null::text as detalhe_busca
          from perfil`,
        deleted: sql<string>`''`,
      }
  }
}
