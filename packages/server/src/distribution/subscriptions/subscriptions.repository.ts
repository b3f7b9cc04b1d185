import {
  type ListQuery,
  ownTimes,
  type ReceivedSubscription,
  type Subscription,
  type SubscriptionChoice,
  type SubscriptionDraft,
  type SubscriptionOrder,
} from '@bi-manager/contract'
import { type Expression, type SqlBool, sql } from 'kysely'
import { type IdentityRules, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { containsWords, countRows, listPage } from '../../platform/db/queries/list-page.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { choiceTrail, isVisibleTo, mayReadChoice, personSees, type Viewer } from '../../reports/index.ts'
import { ownerInactive, ownerWithoutReport } from './mails/skip-reasons.ts'
import { recipientsOf, subscriptionsFor } from './recipients/recipients.ts'
import { lastRunsOf } from './runs/runs.repository.ts'

const id = sql.ref<number>('assinatura.idAssinatura')

/** A list of people as JSON: id and name, by name. */
const people = (ids: Expression<unknown>) => sql<Subscription['pessoas']>`coalesce((
  select json_agg(json_build_object('idUsuario', id_usuario, 'nomeUsuario', nome_usuario)
    order by nome_natural, id_usuario)
  from usuario where id_usuario in (${ids})), '[]'::json)`

const ofTable = (table: string) =>
  sql`select id_usuario from ${sql.table(table)} t where t.id_assinatura = ${id}`

const subscriptions = (db: Db) =>
  db
    .selectFrom('assinatura')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'assinatura.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('usuario', 'usuario.idUsuario', 'assinatura.idDono')
    .leftJoin('visaoSalva', 'visaoSalva.idVisao', 'assinatura.idVisao')
    .select(['assinatura.idAssinatura', 'assinatura.idRelatorio', 'nomeRelatorio', 'idGrupo', 'reportId'])
    .select(['tipoRelatorio', 'papeisRls', 'enviaIdentidade', 'idDono', 'nomeUsuario', 'tipoUsuario'])
    .select(isActiveAccount().as('isOwnerActive'))
    .select(['assunto', 'nota', 'assinatura.pagina', 'tituloPagina', 'visuais', 'assinatura.idVisao'])
    .select(['visaoSalva.nome as nomeVisao', 'assinatura.filtros', 'assinatura.marcador'])
    .select(['assinatura.parametros', 'formato', 'entrega', 'frequencia', 'horario', 'diaSemana', 'diaMes'])
    .select(['fuso', 'pulaVazio', 'pulaInalterado', 'ativa', 'proximaEm', 'assinatura.versao'])

const withPeople = (db: Db) =>
  subscriptions(db)
    .select([
      people(ofTable('assinaturaPessoa')).as('pessoas'),
      people(ofTable('assinaturaSaida')).as('sairam'),
    ])
    .select(
      sql<Subscription['perfis']>`coalesce((
        select json_agg(json_build_object('idPerfil', id_perfil, 'nomePerfil', nome_perfil)
          order by nome_natural, id_perfil)
        from assinatura_perfil ap join perfil using (id_perfil) where ap.id_assinatura = ${id}), '[]'::json)`.as(
        'perfis',
      ),
    )
    .select(sql<number>`(select count(*)::int from (${recipientsOf(id)}) r)`.as('destinatarios'))

type Query = ReturnType<typeof withPeople>

/** Adds what only this viewer may know: the report, if they may see it now. */
const seenBy = (query: Query, viewer: Viewer) =>
  query.select([sql<boolean>`${isVisibleTo(viewer)}`.as('isVisible'), personSees().as('ownerSees')])

type Row = Awaited<ReturnType<ReturnType<typeof seenBy>['execute']>>[number]

const toWire = async (db: Db, rows: Row[], viewer: Viewer): Promise<Subscription[]> => {
  const lastRuns = await lastRunsOf(
    db,
    rows.map(({ idAssinatura }) => idAssinatura),
  )
  return rows.map((row) => {
    const { idDono, nomeUsuario, isOwnerActive, tipoUsuario, isVisible, ownerSees, ...rest } = row
    const { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio, ...others } = rest
    const { papeisRls, enviaIdentidade, ...fields } = others
    const mostraEscolha = mayReadChoice({ ...row, isOwn: idDono === viewer.idUsuario })
    return {
      ...fields,
      ...(mostraEscolha ? {} : hiddenChoice),
      mostraEscolha,
      relatorio: isVisible ? { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio } : null,
      dono: { idUsuario: idDono, nomeUsuario },
      proximaEm: row.proximaEm?.toISOString() ?? null,
      ultima: lastRuns.get(row.idAssinatura) ?? null,
      impedimento: row.ativa ? denialReasonOf(row) : null,
    }
  })
}

/** The name of a saved view is its owner's, too. */
const hiddenChoice = { nomeVisao: null, filtros: {}, marcador: null, parametros: [] }

/** Returns why an active subscription is sent to no recipient, in Portuguese; null otherwise. */
const denialReasonOf = ({ isOwnerActive, nomeUsuario, ownerSees, destinatarios }: Row): string | null => {
  if (!isOwnerActive) return ownerInactive(nomeUsuario)
  if (!ownerSees) return ownerWithoutReport(nomeUsuario)
  return destinatarios === 0 ? 'Ninguém mais recebe esta assinatura.' : null
}

export const findSubscription = async (
  db: Db,
  viewer: Viewer,
  idAssinatura: number,
): Promise<Subscription | undefined> => {
  const rows = await seenBy(withPeople(db), viewer)
    .where('assinatura.idAssinatura', '=', idAssinatura)
    .$if(!viewer.isAdmin, (own) => own.where('idDono', '=', viewer.idUsuario))
    .execute()
  return (await toWire(db, rows, viewer))[0]
}

/** Returns the viewer's own subscriptions, of one report or all. */
export const listOwn = async (db: Db, viewer: Viewer, idRelatorio?: number): Promise<Subscription[]> =>
  toWire(
    db,
    await seenBy(withPeople(db), viewer)
      .where('idDono', '=', viewer.idUsuario)
      .$if(idRelatorio !== undefined, (some) => some.where('assinatura.idRelatorio', '=', idRelatorio ?? 0))
      .orderBy('assuntoNatural')
      .orderBy('assinatura.idAssinatura')
      .execute(),
    viewer,
  )

type Order = (typeof SubscriptionOrder)[number]

/** Returns a page of everybody's subscriptions, for an ADMIN. */
export const listAll = async (
  db: Db,
  viewer: Viewer,
  query: ListQuery<Order> & { idRelatorio?: number | undefined },
) => {
  const { busca, idRelatorio } = query
  const matching = seenBy(withPeople(db), viewer)
    .$if(!!busca, (some) =>
      some.where(containsWords(['assuntoBusca', 'relatorio.nomeBusca', 'usuario.nomeBusca'], busca ?? '')),
    )
    .$if(idRelatorio !== undefined, (some) => some.where('assinatura.idRelatorio', '=', idRelatorio ?? 0))
  const orders = {
    assunto: ['assuntoNatural', 'assinatura.idAssinatura'],
    nomeRelatorio: ['relatorio.nomeNatural', 'assuntoNatural', 'assinatura.idAssinatura'],
    nomeDono: ['usuario.nomeNatural', 'assuntoNatural', 'assinatura.idAssinatura'],
    proximaEm: [sql`coalesce(proxima_em, 'infinity')`, 'assinatura.idAssinatura'],
  }
  const page = await listPage(db, matching, { query, orders, byDefault: 'assunto' })
  return { ...page, rows: await toWire(db, page.rows, viewer) }
}

/** Returns the subscriptions of others that the viewer receives, to reports that they may see. */
export const listReceived = async (db: Db, viewer: Viewer): Promise<ReceivedSubscription[]> => {
  const { idUsuario } = viewer
  const rows = await subscriptions(db)
    .select(
      sql<boolean>`exists (select from assinatura_saida s
        where s.id_assinatura = ${id} and s.id_usuario = ${idUsuario})`.as('saiu'),
    )
    .where('idDono', '<>', idUsuario)
    .where(sql<boolean>`${id} in (${subscriptionsFor(idUsuario)})`)
    .where(isVisibleTo(viewer))
    .orderBy('assuntoNatural')
    .orderBy('assinatura.idAssinatura')
    .execute()
  return rows.map((row) => {
    const { idAssinatura, assunto, formato, entrega, frequencia, horario, diaSemana, diaMes } = row
    const { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio, fuso, ativa, saiu } = row
    return {
      idAssinatura,
      assunto,
      formato,
      entrega,
      frequencia,
      horario,
      diaSemana,
      diaMes,
      fuso,
      ativa,
      saiu,
      relatorio: { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio },
      nomeDono: row.nomeUsuario,
      proximaEm: row.proximaEm?.toISOString() ?? null,
    }
  })
}

export const countOwn = (db: Db, idUsuario: number): Promise<number> =>
  countRows(db.selectFrom('assinatura').where('idDono', '=', idUsuario))

/** Returns the columns of a draft. Fields of other frequencies are dropped. */
const valuesOf = (draft: SubscriptionDraft, now: Date) => {
  const { idPessoas: _, idPerfis: __, filtros, visuais, ...fields } = ownTimes(draft)
  return {
    ...fields,
    filtros: JSON.stringify(filtros),
    visuais: JSON.stringify(visuais),
    proximaEm: fields.ativa ? nextRun(fields, now) : null,
    // Refreshes that have ended by now begin no run.
    atualizadaAte: now,
  }
}

export const insertSubscription = async (
  tx: Db,
  { idDono, idRelatorio }: { idDono: number; idRelatorio: number },
  draft: SubscriptionDraft,
  now: Date,
): Promise<number> => {
  const { idAssinatura } = await tx
    .insertInto('assinatura')
    .values({ idDono, idRelatorio, ...valuesOf(draft, now) })
    .returning('idAssinatura')
    .executeTakeFirstOrThrow()
  return idAssinatura
}

export const updateSubscription = async (
  tx: Db,
  idAssinatura: number,
  draft: SubscriptionDraft,
  now: Date,
): Promise<void> => {
  await tx
    .updateTable('assinatura')
    .set((eb) => ({ ...valuesOf(draft, now), versao: eb('versao', '+', 1) }))
    .where('idAssinatura', '=', idAssinatura)
    .execute()
}

export const updateActive = async (
  tx: Db,
  { idAssinatura, ...times }: Subscription,
  ativa: boolean,
  now: Date,
): Promise<void> => {
  const proximaEm = ativa ? nextRun(times, now) : null
  await tx
    .updateTable('assinatura')
    .set((eb) => ({ ativa, proximaEm, atualizadaAte: now, versao: eb('versao', '+', 1) }))
    .where('idAssinatura', '=', idAssinatura)
    .execute()
}

/** The columns of a subscription that its audit lines have as they are. */
const audited = [
  'assunto',
  'nota',
  'pagina',
  'idVisao',
  'formato',
  'entrega',
  'frequencia',
  'horario',
  'diaSemana',
  'diaMes',
  'fuso',
  'pulaVazio',
  'pulaInalterado',
  'ativa',
] as const

/** Returns the audited fields, also those that the caller may not see. */
export const trailOf = async (tx: Db, idAssinatura: number) => {
  const { visuais, filtros, marcador, parametros, ...row } = await tx
    .selectFrom('assinatura')
    .select([...audited, 'visuais', 'filtros', 'marcador', 'parametros'])
    .select(sql<number[]>`array(${ofTable('assinaturaPessoa')} order by 1)`.as('idPessoas'))
    .select(
      sql<
        number[]
      >`array(select id_perfil from assinatura_perfil ap where ap.id_assinatura = ${id} order by 1)`.as(
        'idPerfis',
      ),
    )
    .where('assinatura.idAssinatura', '=', idAssinatura)
    .executeTakeFirstOrThrow()
  const choice = choiceTrail({ filtros, marcador, parametros })
  return { ...row, ...choice, visuais: visuais.map(({ nome }) => nome) }
}

/**
 * Returns what a subscription shows, to those who receive it now and to those who may read the choice
 * anyway: its owner, and ADMINs of a report that has the same rows for everybody.
 */
export const findChoice = async (
  db: Db,
  viewer: Viewer,
  { idAssinatura, idRelatorio }: { idAssinatura: number; idRelatorio: number },
): Promise<{ idDono: number; report: IdentityRules; choice: SubscriptionChoice } | undefined> => {
  const row = await db
    .selectFrom('assinatura')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'assinatura.idRelatorio')
    .select(['idDono', ...identityColumns, 'pagina', 'assinatura.filtros', 'marcador'])
    .select(sql<boolean>`${viewer.idUsuario}::int in (${recipientsOf(id)})`.as('isRecipient'))
    .where('assinatura.idAssinatura', '=', idAssinatura)
    .where('assinatura.idRelatorio', '=', idRelatorio)
    .where(isVisibleTo(viewer))
    .executeTakeFirst()
  if (!row) return undefined
  const { idDono, isRecipient, pagina, filtros, marcador, ...report } = row
  const isOwn = idDono === viewer.idUsuario
  const mayRead = (isOwn || viewer.isAdmin) && mayReadChoice({ ...report, isVisible: true, isOwn })
  return isRecipient || mayRead ? { idDono, report, choice: { pagina, filtros, marcador } } : undefined
}

/** The condition that the viewer receives the subscription, or has left it. */
export const isRecipient = async (db: Db, idAssinatura: number, idUsuario: number): Promise<boolean> => {
  const { rows } = await sql<{ is: SqlBool }>`
    select ${idAssinatura}::int in (${subscriptionsFor(idUsuario)}) as "is"`.execute(db)
  return rows[0]?.is === true
}
