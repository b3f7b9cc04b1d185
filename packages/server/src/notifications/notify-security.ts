import type { Db } from '../db/open-database.ts'
import { notify } from './notify.ts'

/** Tells every ADMIN and every officer of a change that decides who gets in, or of a key. */
export const notifySecurity = (tx: Db, told: { titulo: string; texto: string }, now: Date): Promise<void> =>
  notify(tx, 'guardioes', { tipo: 'seguranca_alterada', ...told }, now)
