import type { Pending } from '@bi-manager/contract'
import { type RawBuilder, type Selectable, sql } from 'kysely'
import type { Db, OpenDatabase } from '../../platform/db/open-database.ts'
import { isClaimed } from '../../platform/db/queries/claim-rows.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { inBatches } from '../../platform/db/queries/in-batches.ts'
import { noteLastUse } from '../../platform/db/queries/note-last-use.ts'
import type { Tables } from '../../platform/db/types.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { accessVersion, nextGrantEnd } from '../live/access-watch.ts'

export interface SessionClaims {
  idSessao: string
  idUsuario: number
  /** Whether the call counts as use of the session. */
  isUserActivity: boolean
}
interface SessionTerms {
  idleSeconds: number
  now: Date
}

/**
 * Returns a function that finds the caller of a live session, or undefined when the session has
 * ended or belongs to another user. Answers from a cache where `db.sessionChanges` reports every
 * change (the embedded database), so that the result is never older than the database.
 */
export const createCallerFinder = (
  db: OpenDatabase,
  { idleSeconds, now }: { idleSeconds: number; now: () => Date },
): ((claims: SessionClaims) => Promise<Caller | undefined>) => {
  const read = inBatches((claims: SessionClaims[]) => findCallers(db, claims, { idleSeconds, now: now() }))
  const { sessionChanges } = db
  if (!sessionChanges) return read
  const kept = createBoundedCache<{ changes: number; caller: Caller }>(5_000)
  return async (claims) => {
    // Read before the query: a change during the query makes the cached entry outdated.
    const changes = sessionChanges()
    const hit = kept.get(claims.idSessao)
    if (hit?.changes === changes && isStillTrue(hit.caller, claims, { idleSeconds, now: now() }))
      return hit.caller
    const caller = await read(claims)
    if (caller) kept.set(claims.idSessao, { changes, caller: Object.freeze(caller) })
    return caller
  }
}

/** Time alone can end a session, an account or a grant, or make the last use due to be written. */
const isStillTrue = (
  { idUsuario, sessaoExpiraEm, sessaoUsadaEm, acessoMudaEm }: Caller,
  claims: SessionClaims,
  { idleSeconds, now }: SessionTerms,
): boolean =>
  idUsuario === claims.idUsuario &&
  sessaoExpiraEm > now &&
  (acessoMudaEm === null || acessoMudaEm > now) &&
  idleFor(sessaoUsadaEm, now) < touchSeconds(idleSeconds)

/**
 * Returns the callers of live sessions, in the order of `claims`; undefined for a session that has
 * ended or belongs to another user.
 */
const findCallers = async (
  db: Db,
  claims: SessionClaims[],
  { idleSeconds, now }: SessionTerms,
): Promise<(Caller | undefined)[]> => {
  const ids = [...new Set(claims.map(({ idSessao }) => idSessao))]
  const rows = await readSessions(db, ids)
  const live = new Map<string, LiveSession>(
    rows
      .filter((row) => idleFor(row.sessaoUsadaEm, now) < idleSeconds && row.sessaoExpiraEm > now)
      .map((row) => [row.idSessao, row]),
  )
  const used = claims.filter(({ idSessao, idUsuario, isUserActivity }) => {
    const row = isUserActivity ? live.get(idSessao) : undefined
    return row?.idUsuario === idUsuario && idleFor(row.sessaoUsadaEm, now) >= touchSeconds(idleSeconds)
  })
  const touched = new Set(used.map(({ idSessao }) => idSessao))
  if (touched.size > 0) {
    // SKIP LOCKED: a row locked by another request is being touched or ended there already.
    const free = sql`select id_sessao from sessao where id_sessao = any(${[...touched]}::uuid[]) for update skip locked`
    const touch = sql`update sessao set ultimo_uso = ${now} where ${isClaimed('idSessao', free)}`
    // A session whose use is not written ends sooner.
    if (!(await noteLastUse(db, () => touch.execute(db)))) touched.clear()
  }
  return claims.map(({ idSessao, idUsuario }) => {
    const row = live.get(idSessao)
    if (row?.idUsuario !== idUsuario) return undefined
    return callerOf(touched.has(idSessao) ? { ...row, sessaoUsadaEm: now } : row)
  })
}

/**
 * Runs on every call. Raw SQL saves Kysely's query building, and one JSON text costs less to
 * transfer than a row of many columns.
 */
const readSessions = (db: Db, ids: string[]): Promise<LiveSession[]> =>
  readPeople(db, sql`sessao`, sql`sessao.id_sessao = any(${ids}::uuid[]) and encerrada_em is null`)

/**
 * Returns the active people behind sessions, or behind what has the columns of a session.
 * @param source named `sessao`
 */
export const readPeople = async (
  db: Db,
  source: RawBuilder<unknown>,
  condition: RawBuilder<unknown>,
): Promise<LiveSession[]> => {
  const { rows } = await sql<{ achadas: string | null }>`
    select json_agg(achada)::text as achadas from (
      select id_sessao as "idSessao", metodo, criada_em as "sessaoCriadaEm", ultimo_uso as "sessaoUsadaEm",
        expira_em as "sessaoExpiraEm", confirmada_em as "sessaoConfirmadaEm", confirmada_com as "sessaoConfirmadaCom",
        id_usuario as "idUsuario", nome_usuario as "nomeUsuario", email_usuario as "emailUsuario", tipo_usuario as "tipo",
        id_responsavel as "idResponsavel", acesso_prontuario as "acessoProntuario", encarregado_dados as "encarregadoDados",
        not email_por_provar as "emailComprovado", identidade_rls as "identidadeRls", versao_acesso as "acesso", versao_notificacoes as "versaoNotificacoes",
        ${mustChangePassword} as "trocarSenha", senha_hash is not null as "temSenha", tem_segundo_fator as "temSegundoFator",
        ${mustSetSecondFactor} as "deveSegundoFator",
        (select versao from catalogo) as "catalogo", (select versao from configuracao) as "regras",
        ${nextGrantEnd(sql`usuario.id_usuario`)} as "proximoFim", (extract(epoch from usuario.vence_em) * 1000)::bigint as "fimDaConta",
        (select case tipo_usuario when 'ADMIN' then redes_admin else redes_usuario end from configuracao) as "redes"
      from ${source} join usuario using (id_usuario)
      where ${condition} and ${isActiveAccount()}
    ) as achada`.execute(db)
  const found = JSON.parse(rows[0]?.achadas ?? '[]') as Written<LiveSession>[]
  return found.map(({ sessaoConfirmadaEm: confirmed, ...row }) => ({
    ...row,
    sessaoCriadaEm: new Date(row.sessaoCriadaEm),
    sessaoUsadaEm: new Date(row.sessaoUsadaEm),
    sessaoExpiraEm: new Date(row.sessaoExpiraEm),
    sessaoConfirmadaEm: confirmed === null ? null : new Date(confirmed),
  }))
}

/** A row as JSON serialises it: dates are strings. */
type Written<T> = {
  [K in keyof T]: T[K] extends Date ? string : T[K] extends Date | null ? string | null : T[K]
}

/** The person behind a session, with what its duties and its version of access are computed from. */
type LiveSession = Omit<Caller, 'pendencia' | 'versaoAcesso' | 'acessoMudaEm'> &
  Duties &
  Parameters<typeof accessVersion>[0] & { fimDaConta: number | null }

const idleFor = (lastUse: Date, now: Date): number => (now.getTime() - lastUse.getTime()) / 1000

export const callerOf = ({
  acesso,
  catalogo,
  regras,
  proximoFim,
  fimDaConta,
  deveSegundoFator,
  trocarSenha,
  ...caller
}: LiveSession): Caller => ({
  ...caller,
  pendencia: pendingOf({ deveSegundoFator, trocarSenha }),
  versaoAcesso: accessVersion({ acesso, catalogo, regras, proximoFim }),
  acessoMudaEm: earliest(proximoFim, fimDaConta),
})

const earliest = (...instants: (number | null)[]): Date | null => {
  const known = instants.filter((instant) => instant !== null)
  return known.length === 0 ? null : new Date(Math.min(...known))
}

/**
 * Precision of the recorded last use, in seconds: a tenth of the idle limit, at most 60. Saves a
 * write per call.
 */
const touchSeconds = (idleSeconds: number): number => Math.min(60, idleSeconds / 10)

/**
 * SQL: whether the settings require a second factor that this user has not set up. Sessions of the
 * identity provider are exempt: the provider checks its own.
 */
export const mustSetSecondFactor = sql<boolean>`(
  sessao.metodo = 'senha'
  and case (select segundo_fator from configuracao)
    when 'todos' then true
    when 'administradores' then tipo_usuario = 'ADMIN'
    when 'prontuarios' then acesso_prontuario
    when 'administradores_e_prontuarios' then tipo_usuario = 'ADMIN' or acesso_prontuario
    else false end
  and not tem_segundo_fator
)`

/** SQL: null for sessions of the identity provider, which use no password. */
export const mustChangePassword = sql<PasswordChangeReason>`(case when sessao.metodo = 'senha' then trocar_senha end)`

type PasswordChangeReason = Selectable<Tables['usuario']>['trocarSenha']

/** What the user must do before anything else. */
export interface Duties {
  deveSegundoFator: boolean
  trocarSenha: PasswordChangeReason
}

export const pendingOf = ({ deveSegundoFator, trocarSenha }: Duties): Pending | null => {
  if (deveSegundoFator) return 'segundo_fator'
  return trocarSenha && (trocarSenha === 'obrigatoria' ? 'senha_provisoria' : 'trocar_senha')
}
