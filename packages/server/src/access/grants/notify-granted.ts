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
  const rows = await tx
    .selectFrom('usuario')
    .select('idUsuario')
    .where((eb) => eb('idUsuario', '=', eb.fn.any(eb.val([...people]))))
    .where('tipoUsuario', '=', 'USER')
    .where(isActiveAccount())
    .execute()
  if (rows.length === 0) return
  const names = await tx
    .selectFrom('relatorio')
    .select('nomeRelatorio')
    .where((eb) => eb('idRelatorio', '=', eb.fn.any(eb.val([...reports]))))
    .orderBy('nomeNatural')
    .orderBy('idRelatorio')
    .limit(named)
    .execute()
  await notify(
    tx,
    rows.map(({ idUsuario }) => idUsuario),
    {
      tipo: 'permissao_liberada',
      titulo: reports.length === 1 ? 'Novo relatório liberado' : 'Novos relatórios liberados',
      texto: `Você já pode abrir ${listOf(
        names.map(({ nomeRelatorio }) => `“${nomeRelatorio}”`),
        reports.length - names.length,
      )}.`,
      rota: '/saidibi',
    },
    now,
  )
}
