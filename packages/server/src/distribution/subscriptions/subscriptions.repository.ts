import {
  MAX_SUBSCRIPTIONS,
  ownTimes,
  type ReceivedSubscription,
  type Subscription,
  type SubscriptionChoice,
  type SubscriptionDraft,
  subscriptionEntity,
} from '@bi-manager/contract'
import { type Expression, type SqlBool, sql } from 'kysely'
import { type IdentityRules, identityColumns } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { nextRun } from '../../platform/lib/recurrence.ts'
import { choiceTrail, isVisibleTo, mayReadChoice, personSees, type Viewer } from '../../reports/index.ts'
import { createOwnRows } from '../deliveries/own-rows.ts'
import { ownerSkipReason } from './mails/skip-reasons.ts'
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
    .innerJoin('usuario as dono', 'dono.idUsuario', 'assinatura.idDono')
    .leftJoin('visaoSalva', 'visaoSalva.idVisao', 'assinatura.idVisao')
    .select(['assinatura.idAssinatura', 'assinatura.idRelatorio', 'nomeRelatorio', 'idGrupo', 'reportId'])
    .select(['tipoRelatorio', 'papeisRls', 'enviaIdentidade', 'idDono', 'dono.nomeUsuario as nomeDono'])
    .select(isActiveAccount('dono').as('isOwnerActive'))
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
  query.select([sql<boolean>`${isVisibleTo(viewer)}`.as('isVisible'), personSees('dono').as('ownerSees')])

type Row = Awaited<ReturnType<ReturnType<typeof seenBy>['execute']>>[number]

const toWire = async (db: Db, rows: Row[], viewer: Viewer): Promise<Subscription[]> => {
  const lastRuns = await lastRunsOf(
    db,
    rows.map(({ idAssinatura }) => idAssinatura),
  )
  return rows.map((row) => {
    const { idDono, nomeDono, isOwnerActive, isVisible, ownerSees, ...rest } = row
    const { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio, ...others } = rest
    const { papeisRls, enviaIdentidade, ...fields } = others
    const mostraEscolha = mayReadChoice({ ...row, isOwn: idDono === viewer.idUsuario })
    return {
      ...fields,
      ...(mostraEscolha ? {} : hiddenChoice),
      mostraEscolha,
      relatorio: isVisible ? { idRelatorio, nomeRelatorio, idGrupo, reportId, tipoRelatorio } : null,
      dono: { idUsuario: idDono, nomeUsuario: nomeDono },
      proximaEm: row.proximaEm?.toISOString() ?? null,
      ultima: lastRuns.get(row.idAssinatura) ?? null,
      impedimento: row.ativa ? denialReasonOf(row) : null,
    }
  })
}

/** The name of a saved view is its owner's, too. */
const hiddenChoice = { nomeVisao: null, filtros: {}, marcador: null, parametros: [] }

/** Returns why an active subscription is sent to no recipient, in Portuguese; null otherwise. */
const denialReasonOf = (row: Row): string | null =>
  ownerSkipReason(row) ?? (row.destinatarios === 0 ? 'Ninguém mais recebe esta assinatura.' : null)

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
      nomeDono: row.nomeDono,
      proximaEm: row.proximaEm?.toISOString() ?? null,
    }
  })
}

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

/** The columns of a subscription that its audit lines have as they are. */
const audited = [
  'idRelatorio',
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

const trailOf = async (tx: Db, idAssinatura: number) => {
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

export const subscriptionRows = createOwnRows({
  entity: subscriptionEntity,
  action: 'subscription',
  active: 'ativa',
  limit: { most: MAX_SUBSCRIPTIONS, problem: 'assinaturas_demais' },
  select: (db, viewer) => seenBy(withPeople(db), viewer),
  toWire,
  prefix: 'assunto',
  orders: { proximaEm: [sql`coalesce(proxima_em, 'infinity')`, 'assinatura.idAssinatura'] },
  trailOf,
})

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
