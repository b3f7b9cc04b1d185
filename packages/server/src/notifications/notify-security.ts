import type { Db } from '../db/open-database.ts'
import { notify } from './notify.ts'

/** Notifies every ADMIN and every data protection officer of a change of access rules or keys. */
export const notifySecurity = (
  tx: Db,
  message: { titulo: string; texto: string },
  now: Date,
): Promise<void> => notify(tx, 'guardioes', { tipo: 'seguranca_alterada', ...message }, now)
