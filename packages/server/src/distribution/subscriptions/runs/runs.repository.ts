import type { ListQuery, SubscriptionMail, SubscriptionRun } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../../platform/db/open-database.ts'
import { listPage } from '../../../platform/db/queries/list-page.ts'

const countOf = (state: string | undefined) =>
  sql<number>`(select count(*)::int from assinatura_entrega e
    where e.id_execucao = assinatura_execucao.id_execucao
      and (${state ?? null}::text is null or e.estado = ${state ?? null}))`

/** While a file is asked for again, the run shows why. */
const reasonNow = sql<string | null>`coalesce(frase, case when terminada_em is null then (
  select a.frase from assinatura_arquivo a
  where a.id_execucao = assinatura_execucao.id_execucao and a.frase is not null
  order by a.id_arquivo limit 1) end)`

/** An attempt in progress is counted, and is no repetition yet. */
const repetitions = sql<number>`(greatest(repeticoes - (ocupada_ate is not null)::int, 0)
  + coalesce((select sum(greatest(a.repeticoes - (a.ocupado_ate is not null)::int, 0))
  from assinatura_arquivo a where a.id_execucao = assinatura_execucao.id_execucao), 0))::int`

const runs = (db: Db) =>
  db
    .selectFrom('assinaturaExecucao')
    .select(['idExecucao', 'idAssinatura', 'causa', 'estado', 'previstaEm', 'iniciadaEm', 'terminadaEm'])
    .select(['dadosDe', reasonNow.as('frase'), repetitions.as('repeticoes')])
    .select([countOf(undefined).as('destinatarios'), countOf('ENVIADA').as('enviadas')])
    .select([countOf('PULADA').as('puladas'), countOf('FALHOU').as('falhas')])

type Row = Awaited<ReturnType<ReturnType<typeof runs>['execute']>>[number]

const toWire = ({ idAssinatura: _, ...row }: Row): SubscriptionRun => ({
  ...row,
  previstaEm: row.previstaEm.toISOString(),
  iniciadaEm: row.iniciadaEm?.toISOString() ?? null,
  terminadaEm: row.terminadaEm?.toISOString() ?? null,
  dadosDe: row.dadosDe?.toISOString() ?? null,
})

export const findRun = async (db: Db, idExecucao: number): Promise<SubscriptionRun | undefined> => {
  const row = await runs(db).where('idExecucao', '=', idExecucao).executeTakeFirst()
  return row && toWire(row)
}

/** Returns the newest run of each subscription that was no test. */
export const lastRunsOf = async (db: Db, ids: readonly number[]): Promise<Map<number, SubscriptionRun>> => {
  if (ids.length === 0) return new Map()
  const rows = await runs(db)
    .where((eb) => eb('idAssinatura', '=', eb.fn.any(eb.val([...ids]))))
    .where('causa', '<>', 'TESTE')
    .distinctOn('idAssinatura')
    .orderBy('idAssinatura')
    .orderBy('idExecucao', 'desc')
    .execute()
  return new Map(rows.map((row) => [row.idAssinatura, toWire(row)]))
}

export const listRuns = async (db: Db, idAssinatura: number, query: ListQuery<never>) => {
  const page = await listPage(db, runs(db).where('idAssinatura', '=', idAssinatura), {
    query: { ...query, ordem: '-idade' },
    orders: { idade: ['idExecucao'] },
    byDefault: '-idade',
  })
  return { ...page, rows: page.rows.map(toWire) }
}

/** Returns the e-mails of a run: the troubled ones first, then by name. */
export const listMails = async (
  db: Db,
  { idAssinatura, idExecucao }: { idAssinatura: number; idExecucao: number },
  query: ListQuery<never>,
) => {
  const matching = db
    .selectFrom('assinaturaEntrega')
    .innerJoin('assinaturaExecucao', 'assinaturaExecucao.idExecucao', 'assinaturaEntrega.idExecucao')
    .innerJoin('usuario', 'usuario.idUsuario', 'assinaturaEntrega.idUsuario')
    .select(['assinaturaEntrega.idUsuario', 'nomeUsuario', 'assinaturaEntrega.estado', 'motivo', 'em'])
    .where('assinaturaEntrega.idExecucao', '=', idExecucao)
    .where('idAssinatura', '=', idAssinatura)
  const trouble = sql`array_position(array['FALHOU', 'PULADA', 'PENDENTE', 'NA_FILA'], assinatura_entrega.estado)`
  const page = await listPage(db, matching, {
    query: { ...query, ordem: 'estado' },
    orders: { estado: [trouble, 'nomeNatural', 'assinaturaEntrega.idUsuario'] },
    byDefault: 'estado',
  })
  return {
    ...page,
    rows: page.rows.map((row): SubscriptionMail => ({ ...row, em: row.em.toISOString() })),
  }
}
