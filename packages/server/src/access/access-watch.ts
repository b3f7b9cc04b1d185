import { sql } from 'kysely'
import type { Db } from '../db/open-database.ts'

export interface Watcher {
  idSessao: string
  idUsuario: number
  /** What the person may see can have changed since the watcher last knew. */
  onChange: () => void
  /** The session is over. */
  onEnd: () => void
}

interface Options {
  db: Db
  now: () => Date
  idleSeconds: number
  onError: (error: unknown) => void
  /** Milliseconds between two looks. */
  everyMs?: number
}

/**
 * Tells open windows that what they show can have changed. One query for all of them, and none while nobody watches; it
 * reads versions that triggers keep, so it hears of changes made by any process on the same database.
 */
export const createAccessWatch = ({ db, now, idleSeconds, onError, everyMs = 1_500 }: Options) => {
  /** Watcher → the version that it knows of. */
  const watchers = new Map<Watcher, string>()
  let timer: NodeJS.Timeout | undefined
  let isLooking = false

  const look = async (): Promise<void> => {
    if (isLooking) return
    isLooking = true
    try {
      const watching = [...watchers.keys()]
      const versions = await readVersions(db, watching, now(), idleSeconds)
      for (const watcher of watching) {
        const version = versions.get(watcher.idSessao)
        if (version === undefined) watcher.onEnd()
        else if (watchers.has(watcher) && watchers.get(watcher) !== version) {
          watchers.set(watcher, version)
          watcher.onChange()
        }
      }
    } catch (error) {
      // The next look is soon; a database that stays away is told by every other call.
      onError(error)
    } finally {
      isLooking = false
    }
  }

  return {
    /** @param version the caller's `versaoAcesso`, as read on the call that opens the window */
    watch: (watcher: Watcher, version: string): (() => void) => {
      watchers.set(watcher, version)
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

const readVersions = async (
  db: Db,
  watching: Watcher[],
  now: Date,
  idleSeconds: number,
): Promise<Map<string, string>> => {
  const ids = [...new Set(watching.map(({ idSessao }) => idSessao))]
  const usedSince = new Date(now.getTime() - idleSeconds * 1000)
  const { rows } = await sql<{ id: string; acesso: number; catalogo: number }>`
    select s.id_sessao as id, u.versao_acesso as acesso, (select versao from catalogo) as catalogo
    from sessao s join usuario u using (id_usuario)
    where s.id_sessao = any(${ids}::uuid[]) and s.encerrada_em is null and u.situacao = 'ATIVO'
      and s.expira_em > ${now} and s.ultimo_uso > ${usedSince}`.execute(db)
  return new Map(rows.map(({ id, acesso, catalogo }) => [id, `${acesso}.${catalogo}`]))
}
