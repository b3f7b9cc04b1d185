import { sql } from 'kysely'
import type { ShownFactor } from '../../auth/second-factor.ts'
import type { Db } from '../../db/open-database.ts'

/**
 * The one active person a name stands for: by e-mail, or by user name where only one active person has it; where there is none,
 * who waits for approval or is blocked, by the same rule.
 */
export const findAccount = async (db: Db, username: string) => {
  const rows = await db
    .selectFrom('usuario')
    .select([
      'idUsuario',
      'nomeUsuario',
      'emailUsuario',
      'senhaHash',
      'tipoUsuario',
      'idResponsavel',
      'situacao',
    ])
    .select(sql<boolean>`lower(email_usuario) = lower(${username})`.as('byEmail'))
    .where(sql<boolean>`(lower(email_usuario) = lower(${username}) or nome_ordem = sem_acento(${username}))`)
    .orderBy((eb) => eb('situacao', '=', 'ATIVO'), 'desc')
    .orderBy('byEmail', 'desc')
    .limit(2)
    .execute()
  const active = rows.filter(({ situacao }) => situacao === 'ATIVO')
  const candidates = active.length > 0 ? active : rows
  const byEmail = candidates.find((row) => row.byEmail)
  return byEmail ?? (candidates.length === 1 ? candidates[0] : undefined)
}

/** Known devices a person, the latest used; anybody may make up marks, so they must not pile up. */
const devicesKept = 20

interface NewSession {
  idSessao: string
  idUsuario: number
  dispositivo: string | null
  /** Digest of the device's own mark, where it sent one. */
  marca: string | undefined
  metodo: 'senha' | 'provedor'
  segundoFator: ShownFactor | null
  /** The hash that the password was just checked against; undefined where none was asked for. */
  senhaHash: string | undefined
  now: Date
  expiraEm: Date
}

/**
 * @returns false when the password was changed, or the person shut out, while the sign-in was on its way. Their row is taken
 *   first, as whoever changes it takes it: the sessions that such a change ends include this one.
 */
export const insertSession = async (
  tx: Db,
  { idSessao, idUsuario, dispositivo, marca, metodo, segundoFator, senhaHash, now, expiraEm }: NewSession,
): Promise<boolean> => {
  const { numUpdatedRows } = await tx
    .updateTable('usuario')
    .set({ ultimoAcesso: now })
    .where('idUsuario', '=', idUsuario)
    .$if(senhaHash !== undefined, (query) => query.where('senhaHash', '=', senhaHash ?? ''))
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()
  if (numUpdatedRows === 0n) return false
  const session = {
    idSessao,
    idUsuario,
    dispositivo,
    metodo,
    segundoFator,
    criadaEm: now,
    ultimoUso: now,
    expiraEm,
    encerradaEm: null,
  }
  await tx.insertInto('sessao').values(session).execute()
  if (!marca) return true
  await tx
    .insertInto('dispositivoConhecido')
    .values({ idUsuario, marca, ultimoUso: now })
    .onConflict((conflict) => conflict.columns(['idUsuario', 'marca']).doUpdateSet({ ultimoUso: now }))
    .execute()
  const newest = tx
    .selectFrom('dispositivoConhecido')
    .select('marca')
    .where('idUsuario', '=', idUsuario)
    .orderBy('ultimoUso', 'desc')
    .limit(devicesKept)
  await tx
    .deleteFrom('dispositivoConhecido')
    .where('idUsuario', '=', idUsuario)
    .where('marca', 'not in', newest)
    .execute()
  return true
}

export const endSession = async (tx: Db, idSessao: string, now: Date): Promise<void> => {
  await tx.updateTable('sessao').set({ encerradaEm: now }).where('idSessao', '=', idSessao).execute()
}

/** In a transaction that holds the person's row, as whoever ends sessions does. */
export const isSessionOpen = async (tx: Db, idSessao: string): Promise<boolean> => {
  const row = await tx
    .selectFrom('sessao')
    .select('idSessao')
    .where('idSessao', '=', idSessao)
    .where('encerradaEm', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Null where the person has no password of ours, and where there is no such person. */
export const passwordHashOf = async (db: Db, idUsuario: number): Promise<string | null> => {
  const row = await db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return row?.senhaHash ?? null
}
