import type { Pending } from '@bi-manager/contract'
import { sql } from 'kysely'
import { accessVersion } from '../../access/access-watch.ts'
import type { ShownFactor } from '../../auth/second-factor.ts'
import type { Db } from '../../db/open-database.ts'
import type { Caller } from '../../http/caller.ts'

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

/** How finely use is written down: a tenth of the idle limit, at most a minute, so that reading costs no write. */
const touchSeconds = (idleSeconds: number): number => Math.min(60, idleSeconds / 10)

/**
 * Whether the installation demands a second factor of this person, who has none. Who came through the identity provider has
 * shown theirs there.
 */
const mustSetSecondFactor = sql<boolean>`(
  sessao.metodo = 'senha'
  and (select segundo_fator = 'todos' or (segundo_fator = 'administradores' and tipo_usuario = 'ADMIN')
    from configuracao)
  and not exists (select from segundo_fator f where f.id_usuario = usuario.id_usuario and f.ativo_em is not null)
)`

const pendingOf = ({
  deveSegundoFator,
  trocarSenha,
}: {
  deveSegundoFator: boolean
  trocarSenha: boolean
}): Pending | null => (deveSegundoFator ? 'segundo_fator' : trocarSenha ? 'trocar_senha' : null)

interface CallerQuery {
  idSessao: string
  idUsuario: number
  /** Whether the call counts as use of the session. */
  isUse: boolean
  idleSeconds: number
  now: Date
}

/** The person behind a live session. */
export const findCaller = async (
  db: Db,
  { idSessao, idUsuario, isUse, idleSeconds, now }: CallerQuery,
): Promise<Caller | undefined> => {
  const row = await db
    .selectFrom('sessao')
    .innerJoin('usuario', 'usuario.idUsuario', 'sessao.idUsuario')
    .select(['sessao.idSessao', 'metodo', 'criadaEm', 'ultimoUso', 'expiraEm'])
    .select(['usuario.idUsuario', 'nomeUsuario', 'emailUsuario', 'tipoUsuario', 'idResponsavel'])
    .select(['acessoProntuario', 'encarregadoDados', 'identidadeRls', 'versaoAcesso', 'versaoNotificacoes'])
    // Who came through the identity provider has used no password that others know.
    .select(sql<boolean>`(trocar_senha and sessao.metodo = 'senha')`.as('trocarSenha'))
    .select(sql<boolean>`senha_hash is not null`.as('temSenha'))
    .select(mustSetSecondFactor.as('deveSegundoFator'))
    .select(sql<number>`(select versao from catalogo)`.as('versaoCatalogo'))
    .select(sql<number>`(select versao from configuracao)`.as('versaoRegras'))
    .where('sessao.idSessao', '=', idSessao)
    .where('usuario.idUsuario', '=', idUsuario)
    .where('encerradaEm', 'is', null)
    .where('situacao', '=', 'ATIVO')
    .executeTakeFirst()
  if (!row) return undefined
  const idle = (now.getTime() - row.ultimoUso.getTime()) / 1000
  if (idle >= idleSeconds || row.expiraEm <= now) return undefined
  const isTouched = isUse && idle >= touchSeconds(idleSeconds)
  if (isTouched) {
    await db.updateTable('sessao').set({ ultimoUso: now }).where('idSessao', '=', idSessao).execute()
  }
  const { tipoUsuario, criadaEm, expiraEm, ultimoUso, versaoAcesso, versaoCatalogo, versaoRegras, ...rest } =
    row
  const { deveSegundoFator, trocarSenha, ...person } = rest
  return {
    ...person,
    tipo: tipoUsuario,
    pendencia: pendingOf({ deveSegundoFator, trocarSenha }),
    versaoAcesso: accessVersion({ acesso: versaoAcesso, catalogo: versaoCatalogo, regras: versaoRegras }),
    sessaoCriadaEm: criadaEm,
    sessaoExpiraEm: expiraEm,
    sessaoUsadaEm: isTouched ? now : ultimoUso,
  }
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
