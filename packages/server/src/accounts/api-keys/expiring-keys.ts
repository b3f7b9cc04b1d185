import type { Db } from '../../platform/db/open-database.ts'
import { dayText } from '../../platform/lib/local-time.ts'
import { notify } from '../../platform/notifications/notify.ts'

const dayMs = 24 * 3_600_000
const noticeDays = 7

/** Tells the owners of API keys that expire within a week, once for each key. */
export const notifyExpiringKeys = async (tx: Db, now: Date): Promise<void> => {
  const at = (days: number) => new Date(now.getTime() + days * dayMs)
  const keys = await tx
    .selectFrom('chaveApi')
    .select(['idChave', 'idUsuario', 'nome', 'expiraEm'])
    .where('expiraEm', '>', now)
    .where('expiraEm', '<=', at(noticeDays))
    // A key made for some days needs no notice on its first one.
    .where('criadaEm', '<', at(-1))
    .execute()
  for (const { idChave, idUsuario, nome, expiraEm } of keys) {
    const texto = `A chave “${nome}” vence em ${dayText(expiraEm)}. Crie outra e troque-a no programa antes disso.`
    const bell = { titulo: 'Chave de API perto de vencer', texto, rota: '/chaves' }
    const told = { subject: `chave:${idChave}`, occurrence: 'vence' }
    await notify(tx, { audience: [idUsuario], kind: 'chave_api_alterada', ...told, bell }, now)
  }
}
