import type { UnusedReport, UsageDetail, UsageDetailKind } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isCurrent } from '../../platform/db/queries/expiry.ts'
import { listPage, listWhole } from '../../platform/db/queries/list-page.ts'
import { type Counted, everything, type Paging, usagePage, wholeOf } from './usage-pages.ts'
import type { Period } from './usage-period.ts'
import { partsOf } from './usage-sums.ts'

/** @param since the first day on which a view counts as use */
const unusedReports = (since: string, limit: RawBuilder<unknown>) => sql<Counted<UnusedReport>>`
  select id_relatorio, nome_relatorio, nome_grupo, to_char(ultimo, 'YYYY-MM-DD') as ultimo, total,
    (select count(*)::int from (
      select id_usuario from relatorio_usuario ru where ru.id_relatorio = pagina.id_relatorio and ${isCurrent('ru.venceEm')}
      union
      select id_usuario from perfil_relatorio pr join perfil_usuario pu using (id_perfil)
      where pr.id_relatorio = pagina.id_relatorio and ${isCurrent('pu.venceEm')}
    ) liberados) as liberado_para
  from (
    select r.id_relatorio, r.nome_relatorio, g.nome_grupo, r.nome_natural, ultimo, count(*) over ()::int as total
    from relatorio r join grupo_relatorio g using (id_grupo_relatorio)
    left join (select id_relatorio, max(ultimo) as ultimo from uso_leitor group by 1) leitores using (id_relatorio)
    where coalesce(ultimo, (criado_em at time zone 'America/Sao_Paulo')::date, '-infinity') < ${since}::date
    order by ultimo nulls first, r.nome_natural, r.id_relatorio ${limit}
  ) pagina
  order by pagina.ultimo nulls first, nome_natural, id_relatorio`

export const listUnused = (db: Db, paging: Paging, since: string) =>
  usagePage(db, (limit) => unusedReports(since, limit), paging)

export const exportUnused = (db: Db, since: string) => wholeOf(db, unusedReports(since, everything))

const neverSignedIn = (db: Db) =>
  db
    .selectFrom('usuario')
    .leftJoin('acessoUsuario', 'acessoUsuario.idUsuario', 'usuario.idUsuario')
    .select(['usuario.idUsuario', 'nomeUsuario', 'emailUsuario', 'situacao'])
    .where('ultimoAcesso', 'is', null)

const byName = { nomeUsuario: ['nomeNatural', 'usuario.idUsuario'] } as const

export const listNeverSignedIn = (db: Db, query: Paging) =>
  listPage(db, neverSignedIn(db), { query, orders: byName, byDefault: 'nomeUsuario' })

export const exportNeverSignedIn = (db: Db) =>
  listWhole(neverSignedIn(db).select(sql<string>`initcap(situacao)`.as('nomeSituacao')), {
    key: 'usuario.idUsuario',
    orders: byName,
    order: 'nomeUsuario',
  })

const usageDetails = (tipo: UsageDetailKind, period: Period, limit: RawBuilder<unknown>) => sql<
  Counted<UsageDetail>
>`
  select id_relatorio, coalesce(nome_relatorio, 'Relatório nº ' || id_relatorio || ' (excluído)') as nome_relatorio,
    nome, vezes, linhas as total
  from (
    select id_relatorio, nome, sum(total)::int as vezes, count(*) over ()::int as linhas
    from ${partsOf('uso_evento', period)} where tipo = ${tipo}
    group by 1, 2 order by vezes desc, nome, id_relatorio ${limit}
  ) pagina left join relatorio using (id_relatorio)
  order by vezes desc, nome, id_relatorio`

export const listDetails = (
  db: Db,
  { tipo, ...paging }: Paging & { tipo: UsageDetailKind },
  period: Period,
) => usagePage(db, (limit) => usageDetails(tipo, period, limit), paging)

export const exportDetails = (db: Db, tipo: UsageDetailKind, period: Period) =>
  wholeOf(db, usageDetails(tipo, period, everything))
