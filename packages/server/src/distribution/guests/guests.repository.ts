import type { Guest, GuestOrder, GuestSettingsUpdate, GuestState, ListQuery } from '@bi-manager/contract'
import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { lastDayOf } from '../../platform/db/queries/expiry.ts'
import { containsWords, listPage } from '../../platform/db/queries/list-page.ts'
import { denialReasonOfGuest, denialReasonText, fromGuests, refusedFields } from './guests.ts'

type Order = (typeof GuestOrder)[number]

const guests = (db: Db, now: Date) =>
  fromGuests(db)
    .leftJoin('convidadoVisita', (join) =>
      join.onRef('convidadoVisita.idConvidado', '=', 'convidado.idConvidado').on('expiraEm', '>', now),
    )
    .select(['convidado.idConvidado', 'emailConvidado', 'convidado.idRelatorio', 'nomeRelatorio'])
    .select(['convidado.usuarioIdentidade', 'convidado.identidadeRls', 'motivo', 'convidado.versao'])
    .select(lastDayOf('convidado.venceEm').$notNull().as('ultimoDia'))
    .select(['nomeUsuario as convidadoPor', 'convidadoEm', 'ultimaVisita', 'revogadoEm'])
    .select(['convidadoVisita.marca as visita', denialReasonOfGuest.as('obstaculo')])

type Row = Awaited<ReturnType<ReturnType<typeof guests>['execute']>>[number]

const toWire = ({ visita, obstaculo, ...row }: Row): Guest => ({
  ...row,
  situacao: stateOf(obstaculo),
  impedimento: denialReasonText(obstaculo),
  emVisita: visita !== null && obstaculo === null,
  convidadoEm: row.convidadoEm.toISOString(),
  ultimaVisita: row.ultimaVisita?.toISOString() ?? null,
  revogadoEm: row.revogadoEm?.toISOString() ?? null,
})

const stateOf = (reason: Row['obstaculo']): GuestState => {
  if (reason === 'isRevoked') return 'REVOGADO'
  if (reason === 'isOver') return 'VENCIDO'
  return reason === null ? 'ATIVO' : 'IMPEDIDO'
}

export const listGuests = async (
  db: Db,
  query: ListQuery<Order> & { idRelatorio?: number | undefined },
  now: Date,
) => {
  const { busca, idRelatorio } = query
  const matching = guests(db, now)
    .$if(!!busca, (some) =>
      some.where(containsWords(['convidado.emailBusca', 'relatorio.nomeBusca'], busca ?? '')),
    )
    .$if(idRelatorio !== undefined, (some) => some.where('convidado.idRelatorio', '=', idRelatorio ?? 0))
  const id = 'convidado.idConvidado'
  const orders = {
    emailConvidado: ['convidado.emailOrdem', id],
    nomeRelatorio: ['relatorio.nomeNatural', id],
    ultimoDia: ['convidado.venceEm', id],
    ultimaVisita: [{ column: 'ultimaVisita', nullable: true }, id],
    convidadoEm: ['convidadoEm', id],
  } as const
  const page = await listPage(db, matching, { query, orders, byDefault: '-convidadoEm' })
  return { ...page, rows: page.rows.map(toWire) }
}

/** Returns a function that reads a guest as answers show it. */
export const guestFinder =
  (now: () => Date) =>
  async (db: Db, id: number): Promise<Guest | undefined> => {
    const row = await guests(db, now()).where('convidado.idConvidado', '=', id).executeTakeFirst()
    return row && toWire(row)
  }

/** Returns the fields with which the invitation cannot be saved, and their messages. */
export const findRefusedFields = async (tx: Db, id: number): Promise<Record<string, string>> => {
  const row = await fromGuests(tx)
    .select(denialReasonOfGuest.as('obstaculo'))
    .select(sql<boolean>`relatorio.usuario_identidade is not null`.as('fixedUser'))
    .where('convidado.idConvidado', '=', id)
    .executeTakeFirstOrThrow()
  return refusedFields(row.obstaculo, row)
}

/** Ends the visits, and voids the links, of these guests; of all without ids. */
export const endVisits = async (tx: Db, ids?: number[]): Promise<void> => {
  const ofGuests = ids ? sql`id_convidado = any(${ids}::int[])` : sql`true`
  await sql`delete from convidado_visita where ${ofGuests}`.execute(tx)
  await sql`delete from convidado_link where ${ofGuests}`.execute(tx)
}

/** Revokes a guest; all of them without an id. @returns the ids of those who were not revoked yet */
export const revokeGuests = async (tx: Db, now: Date, id?: number): Promise<number[]> => {
  const revoked = await tx
    .updateTable('convidado')
    .set((eb) => ({ revogadoEm: now, versao: eb('versao', '+', 1) }))
    .where('revogadoEm', 'is', null)
    .$if(id !== undefined, (some) => some.where('idConvidado', '=', id ?? 0))
    .returning('idConvidado')
    .execute()
  const ids = revoked.map(({ idConvidado }) => idConvidado)
  await endVisits(tx, id === undefined ? undefined : ids)
  return ids.sort((one, other) => one - other)
}

const settings = ['ligado', 'diasMaximos', 'dominios', 'redes', 'versao'] as const

export const readGuestSettings = (db: Db) =>
  db.selectFrom('convidadoRegras').select(settings).executeTakeFirstOrThrow()

/** Returns the rules, and keeps them from changing until the transaction ends. */
export const holdGuestSettings = (tx: Db) =>
  tx.selectFrom('convidadoRegras').select(settings).forShare().executeTakeFirstOrThrow()

/** Returns the rules, and locks them until the transaction ends. */
export const lockGuestSettings = (tx: Db) =>
  tx.selectFrom('convidadoRegras').select(settings).forUpdate().executeTakeFirstOrThrow()

/** Returns undefined when the version does not match. */
export const updateGuestSettings = (tx: Db, change: GuestSettingsUpdate, ifMatch: number | undefined) =>
  tx
    .updateTable('convidadoRegras')
    .set((eb) => ({ ...change, versao: eb('versao', '+', 1) }))
    .$if(ifMatch !== undefined, (query) => query.where('versao', '=', ifMatch ?? 0))
    .returning(settings)
    .executeTakeFirst()
