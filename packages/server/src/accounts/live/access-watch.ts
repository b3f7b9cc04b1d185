import { LIVE_EVENTS, type LiveEvent } from '@bi-manager/contract'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'

interface Watcher {
  idSessao: string
  idUsuario: number
  /**
   * `acesso`: what the user may see can have changed; `notificacoes`: their notifications;
   * `comentarios`: those of any report.
   */
  onChange: (event: LiveEvent) => void
  /** Called when the session has ended. */
  onEnd: () => void
}

/** One version per event. */
type Versions = Record<LiveEvent, string>

interface Options {
  db: Db
  now: () => Date
  idleSeconds: number
  onError: (error: unknown) => void
  /** Milliseconds between two checks. */
  everyMs?: number
}

/**
 * Notifies open windows when their menu and reports, or their notifications, can have changed. One
 * query serves all windows, and none runs without a window. It reads versions that triggers
 * maintain, so it sees the changes of every process on the database.
 */
export const createAccessNotifier = ({ db, now, idleSeconds, onError, everyMs = 1_500 }: Options) => {
  /** Watcher → the versions last reported to it. */
  const watchers = new Map<Watcher, Partial<Versions>>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const watching = [...watchers.keys()]
      const versions = await readVersions(db, watching, now(), idleSeconds)
      for (const watcher of watching) {
        const current = versions.get(watcher.idSessao)
        const known = watchers.get(watcher)
        if (current === undefined) watcher.onEnd()
        else if (known !== undefined) {
          watchers.set(watcher, current)
          for (const event of LIVE_EVENTS) {
            const before = known[event]
            if (before !== undefined && before !== current[event]) watcher.onChange(event)
          }
        }
      }
    } catch (error) {
      // The next check follows soon; other calls report a database that stays unavailable.
      onError(error)
    } finally {
      isLooking = false
    }
  }

  return {
    /** @param caller the caller of the request that opens the stream */
    watch: (watcher: Watcher, caller: Pick<Caller, 'versaoAcesso' | 'versaoNotificacoes'>): (() => void) => {
      const { versaoAcesso, versaoNotificacoes } = caller
      watchers.set(watcher, { acesso: versaoAcesso, notificacoes: String(versaoNotificacoes) })
      timer ??= setInterval(() => void look(), everyMs)
      return () => {
        watchers.delete(watcher)
        if (watchers.size > 0) return
        clearInterval(timer)
        timer = undefined
      }
    },
    countOf: (id: Partial<Pick<Watcher, 'idSessao' | 'idUsuario'>>): number =>
      [...watchers.keys()].filter(
        (watcher) => watcher.idSessao === id.idSessao || watcher.idUsuario === id.idUsuario,
      ).length,
    close: () => {
      for (const watcher of [...watchers.keys()]) watcher.onEnd()
      clearInterval(timer)
    },
  }
}

/**
 * Changes with the user's own row, the catalogue, the rules for all users, and when the next of the
 * user's grants or memberships ends.
 */
export const accessVersion = ({ acesso, catalogo, regras, proximoFim }: AccessVersions): string =>
  `${acesso}.${catalogo}.${regras}${proximoFim === null ? '' : `.${proximoFim}`}`

/** SQL: when the next of the user's direct grants and memberships ends, in milliseconds since 1970. */
export const nextGrantEnd = (idUsuario: RawBuilder<number>): RawBuilder<number | null> => {
  const next = (table: string) => sql`(select min(vence_em) from ${sql.table(table)} as direito
    where direito.id_usuario = ${idUsuario} and vence_em > now())`
  const first = sql`least(${next('relatorioUsuario')}, ${next('perfilUsuario')})`
  return sql<number | null>`(extract(epoch from ${first}) * 1000)::bigint`
}

interface AccessVersions {
  acesso: number
  catalogo: number
  regras: number
  /** Milliseconds since 1970. */
  proximoFim: number | null
}

interface VersionsRow extends AccessVersions {
  id: string
  notificacoes: number
  comentarios: string
}

const readVersions = async (
  db: Db,
  watching: Watcher[],
  now: Date,
  idleSeconds: number,
): Promise<Map<string, Versions>> => {
  const ids = [...new Set(watching.map(({ idSessao }) => idSessao))]
  const usedSince = new Date(now.getTime() - idleSeconds * 1000)
  const { rows } = await sql<VersionsRow>`
    select s.id_sessao as id, u.versao_acesso as acesso, u.versao_notificacoes as notificacoes,
      (select versao from catalogo) as catalogo, (select versao from configuracao) as regras,
      ${nextGrantEnd(sql`u.id_usuario`)} as proximo_fim,
      (select versao from comentario_versao)::text as comentarios
    from sessao s join usuario u using (id_usuario)
    where s.id_sessao = any(${ids}::uuid[]) and s.encerrada_em is null and ${isActiveAccount('u')}
      and s.expira_em > ${now} and s.ultimo_uso > ${usedSince}`.execute(db)
  return new Map(
    rows.map(({ id, notificacoes, comentarios, ...versions }) => [
      id,
      { acesso: accessVersion(versions), notificacoes: String(notificacoes), comentarios },
    ]),
  )
}
