import type { Db } from '../db/open-database.ts'
import { notify } from './notify.ts'

/**
 * Notifies every ADMIN and every data protection officer of a change of access rules or keys.
 * @param by the user who made the change, whom it does not notify; undefined: a command of the operator
 */
export const notifySecurity = (
  tx: Db,
  message: { titulo: string; texto: string },
  now: Date,
  by: number | undefined,
): Promise<void> => {
  const but = by === undefined ? [] : [by]
  return notify(tx, 'guardioes', { tipo: 'seguranca_alterada', ...message }, now, { but })
}
