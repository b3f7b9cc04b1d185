import { sql } from 'kysely'
import type { Db } from '../../platform/db/open-database.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { listOf } from '../../platform/notifications/list-of.ts'
import { notify } from '../../platform/notifications/notify.ts'

/** Number of reports that the text names; the others are counted. */
const named = 3

interface Granted {
  people: readonly number[]
  reports: readonly number[]
}

/** Notifies users of reports that they may open now; administrators always could. */
export const notifyGranted = async (tx: Db, { people, reports }: Granted, now: Date): Promise<void> => {
  if (people.length === 0 || reports.length === 0) return
  const names = await tx
    .selectFrom('relatorio')
    .select('nomeRelatorio')
    .where((eb) => eb('idRelatorio', '=', eb.fn.any(eb.val([...reports]))))
    .orderBy('nomeNatural')
    .orderBy('idRelatorio')
    .limit(named)
    .execute()
  const audience = sql`id_usuario = any(${[...people]}::int[]) and tipo_usuario = 'USER' and ${isActiveAccount()}`
  const titulo = reports.length === 1 ? 'Novo relatório liberado' : 'Novos relatórios liberados'
  const list = listOf(
    names.map(({ nomeRelatorio }) => `“${nomeRelatorio}”`),
    reports.length - names.length,
  )
  const bell = { titulo, texto: `Você já pode abrir ${list}.`, rota: '/saidibi' }
  await notify(tx, { audience, kind: 'permissao_liberada', bell }, now)
}
