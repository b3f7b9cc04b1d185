import type { Db } from '../../platform/db/open-database.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { claimFailureNotice, type KnownCapacity, storeState } from './capacity-store.ts'

interface Failure {
  /** What failed: a change, the reading of the state, or any change in the state that was read. */
  acao: 'INICIAR' | 'PAUSAR' | 'REDIMENSIONAR' | 'LER' | 'MUDAR'
  motivo: string
}

/** Milliseconds. A change that failed or was withheld is tried again after this time. */
export const againMs = 5 * 60_000

const titles: Record<Failure['acao'], string> = {
  INICIAR: 'não iniciou',
  PAUSAR: 'não foi pausada',
  REDIMENSIONAR: 'não mudou de tamanho',
  LER: 'não pode ser lida',
  MUDAR: 'não pode ser iniciada nem pausada',
}

/**
 * Notifies administrators of a failure once a day, with its cause, even after they read it, and
 * lets the next automatic change wait: a change of the size only the next one of the size.
 */
export const notifyCapacityFailure = async (
  tx: Db,
  { idCapacidade, nomeCapacidade }: KnownCapacity,
  { acao, motivo }: Failure,
  now: Date,
): Promise<void> => {
  const isSize = acao === 'REDIMENSIONAR'
  const again = new Date(now.getTime() + againMs)
  await storeState(tx, idCapacidade, isSize ? { tamanhoTentarEm: again } : { tentarEm: again })
  const column = isSize ? 'tamanhoAvisado' : 'avisada'
  if (!(await claimFailureNotice(tx, idCapacidade, column, `${acao} ${dayOf(now)}`))) return
  await notify(
    tx,
    'administradores',
    {
      // Not a new kind: during an upgrade, the previous version reads it, too.
      tipo: 'sistema_com_problema',
      titulo: `A capacidade “${nomeCapacidade}” ${titles[acao]}`,
      texto: motivo,
      rota: `/cadastrar-capacidade/${idCapacidade}`,
      assunto: `capacidade:${idCapacidade}:${acao}`,
    },
    now,
  )
}
