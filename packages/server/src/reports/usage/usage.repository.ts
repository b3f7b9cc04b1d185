import type {
  ListQuery,
  OwnUsage,
  UsageGrouping,
  UsageOrder,
  UsageRow,
  UsageSummary,
} from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { containsWords } from '../../platform/db/queries/list-page.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isVisibleTo, viewerOf } from '../visibility/visible-reports.ts'
import { type Counted, everything, type Paging, usagePage, wholeOf } from './usage-pages.ts'
import type { Period } from './usage-period.ts'
import { groupQueries, partsOf, percentile, summed } from './usage-sums.ts'

type Order = (typeof UsageOrder)[number]

/** Returns the sums of all reports, and their days or months. */
export const readSummary = async (db: Db, period: Period): Promise<UsageSummary> => {
  const { de, ate, porMes } = period
  type Totals = Omit<UsageSummary, 'de' | 'ate' | 'porMes' | 'serie' | 'leitores' | 'incompleto'>
  const { rows: totals } = await sql<Totals>`
    select coalesce(visualizacoes, 0) as visualizacoes, coalesce(paginas, 0) as paginas,
      coalesce(erros, 0) as erros, ${percentile(0.5)} as p50, ${percentile(0.95)} as p95
    from (select ${summed} from ${partsOf('uso_relatorio', period)}) soma`.execute(db)
  const { rows: readers } = await sql<Pick<UsageSummary, 'leitores' | 'incompleto'>>`
    select count(*)::int as leitores, exists (select from uso_por_somar) as incompleto
    from (select distinct id_usuario from uso_leitor where ultimo >= ${de}::date) leitores`.execute(db)
  const { rows: serie } = await sql<UsageSummary['serie'][number]>`
    select to_char(inicio, 'YYYY-MM-DD') as inicio, visualizacoes, coalesce(leitores, 0) as leitores, erros
    from (
      select inicio, sum(visualizacoes)::int as visualizacoes, sum(erros)::int as erros
      from uso_relatorio where mensal = ${porMes} and inicio >= ${de}::date group by 1
    ) relatorios left join (
      select inicio, count(*)::int as leitores from uso_pessoa
      where mensal = ${porMes} and inicio >= ${de}::date and visualizacoes > 0 group by 1
    ) pessoas using (inicio)
    order by inicio`.execute(db)
  const [total] = totals
  const [counts] = readers
  if (!total || !counts) throw new Error('A sum without groups is one row.')
  return { de, ate, ...total, ...counts, porMes, serie }
}

type Filter = Pick<ListQuery<Order>, 'busca' | 'ordem'> & { por: UsageGrouping }

/** Selects the usage rows of a grouping in order; `total` is the number of all rows. */
const usageRows = ({ por, busca, ordem }: Filter, period: Period, limit: RawBuilder<unknown>) => {
  const { sums, readers, names, deleted } = groupQueries(por, period)
  const order = orderOf(ordem)
  return sql<Counted<UsageRow>>`
    with linhas as (
      select soma.*, coalesce(leitores, 0) as leitores, coalesce(nome, ${deleted}) as nome, detalhe,
        nome_busca, nome_natural
      from (${sums}) soma left join (${readers}) leitores using (id) left join (${names}) nomes using (id)
      ${busca ? sql`where ${containsWords(['nome_busca', por === 'pessoa' ? 'email_busca' : 'detalhe_busca'], busca)}` : sql``}
    )
    select id, nome, detalhe, visualizacoes, paginas, erros, leitores, total,
      ${percentile(0.5)} as p50, ${percentile(0.95)} as p95
    from (select *, count(*) over ()::int as total from linhas order by ${order} ${limit}) pagina
    order by ${order}`
}

const orderOf = (ordem: ListQuery<Order>['ordem'] = '-visualizacoes') => {
  const isDescending = ordem.startsWith('-')
  const field = isDescending ? ordem.slice(1) : ordem
  const by = field === 'p95' ? percentile(0.95) : sql.ref(field === 'nome' ? 'nome_natural' : field)
  return sql`${by} ${isDescending ? sql`desc` : sql`asc`} nulls last, nome, id`
}

export const listUsage = (db: Db, query: Filter & Paging, period: Period) =>
  usagePage(db, (limit) => usageRows(query, period, limit), query)

export const exportUsage = (db: Db, filter: Filter, period: Period) =>
  wholeOf(db, usageRows(filter, period, everything))

type OwnSums = Omit<OwnUsage, 'de' | 'ate' | 'relatorios'>
type OwnReport = Omit<OwnUsage['relatorios'][number], 'ultima'> & { ultima: Date }

/** Returns the caller's own usage; reports that the caller may no longer see are not listed. */
export const readOwnUsage = async (db: Db, user: Pick<Caller, 'idUsuario' | 'tipo'>, period: Period) => {
  const { rows: sums } = await sql<OwnSums>`
    select coalesce(visualizacoes, 0) as visualizacoes, coalesce(paginas, 0) as paginas,
      coalesce(erros, 0) as erros, ${percentile(0.5)} as p50, ${percentile(0.95)} as p95
    from (
      select ${summed} from ${partsOf('uso_pessoa', period)} where id_usuario = ${user.idUsuario}
    ) soma`.execute(db)
  const { rows: relatorios } = await sql<OwnReport>`
    select relatorio.id_relatorio, nome_relatorio, nome_grupo, visualizacoes, ultima
    from (
      select id_relatorio, count(*)::int as visualizacoes, max(quando) as ultima from visualizacao
      where id_usuario = ${user.idUsuario}
        and quando >= (${period.de}::date::timestamp at time zone 'America/Sao_Paulo')
      group by 1
    ) vistas join relatorio using (id_relatorio) join grupo_relatorio using (id_grupo_relatorio)
    where ${isVisibleTo(viewerOf(user))}
    order by visualizacoes desc, relatorio.nome_natural, relatorio.id_relatorio`.execute(db)
  const [own] = sums
  if (!own) throw new Error('A sum without groups is one row.')
  return { de: period.de, ate: period.ate, ...own, relatorios }
}
