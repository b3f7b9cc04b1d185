import { sql } from 'kysely'
import type { Secrets } from '../../platform/config/secrets.ts'
import type { OpenDatabase } from '../../platform/db/open-database.ts'
import { noteLastUse } from '../../platform/db/queries/note-last-use.ts'
import { type CallingKey, mayUseKeys } from '../../platform/http/callers/calling-key.ts'
import type { FindKeyCaller, KeyCaller, NoteKeyUse } from '../../platform/http/guard/api-key-calls.ts'
import { callerOf, readPeople } from '../sessions/callers.repository.ts'

interface Options {
  db: OpenDatabase
  secrets: Pick<Secrets, 'digest'>
  now: () => Date
}

/** Milliseconds between two notes of the last use. */
const usedMs = 60_000

/** Returns the digest by which the database knows a key. */
export const markOfKey = ({ digest }: Pick<Secrets, 'digest'>, key: string): string =>
  digest(`chave-api:${key}`)

/**
 * Returns a function that finds the person behind an API key, as they are now; undefined when the
 * key was revoked or has expired, or when the person may use none. Reads the rows on each call, so
 * that a revocation applies to the next one.
 */
export const createKeyCallerFinder =
  ({ db, secrets, now }: Options): FindKeyCaller =>
  async (credential) => {
    const key = await db
      .selectFrom('chaveApi')
      .select(['idChave', 'nome', 'grupos', 'redes', 'usadaEm'])
      .where('marca', '=', markOfKey(secrets, credential))
      .where('expiraEm', '>', now())
      .executeTakeFirst()
    return key && findOwner(db, key)
  }

/** Returns a function that writes the last use of a key, to within a minute. */
export const createKeyUseWriter =
  ({ db, now }: Pick<Options, 'db' | 'now'>): NoteKeyUse =>
  async ({ chave: { idChave, usadaEm } }, usadaDe) => {
    const time = now()
    if (usadaEm && Math.abs(time.getTime() - usadaEm.getTime()) < usedMs) return
    const note = db.updateTable('chaveApi').set({ usadaEm: time, usadaDe }).where('idChave', '=', idChave)
    await noteLastUse(db, () => note.execute())
  }

/**
 * The key stands in for a session that began long ago and was never confirmed: it is no proof of
 * identity.
 */
const findOwner = async (db: OpenDatabase, chave: CallingKey): Promise<KeyCaller | undefined> => {
  const source = sql`(
    select 'chave:' || id_chave as id_sessao, id_usuario, metodo, 'epoch'::timestamptz as criada_em,
      criada_em as ultimo_uso, expira_em, null::timestamptz as confirmada_em, null as confirmada_com
    from chave_api where id_chave = ${chave.idChave}
  ) as sessao`
  const [owner] = await readPeople(db, source, mayUseKeys)
  return owner && { ...callerOf(owner), chave }
}
