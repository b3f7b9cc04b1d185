import type { Db } from '../../platform/db/open-database.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { type KnownCapacity, storeState } from './capacity-store.ts'

export interface Failure {
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

export const failureSubject = (id: number, acao: Failure['acao']) => `capacidade:${id}:${acao}`

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
  const again = new Date(now.getTime() + againMs)
  const retry = acao === 'REDIMENSIONAR' ? 'tamanhoTentarEm' : 'tentarEm'
  await storeState(tx, idCapacidade, { [retry]: again })
  const bell = {
    titulo: `A capacidade “${nomeCapacidade}” ${titles[acao]}`,
    texto: motivo,
    rota: `/cadastrar-capacidade/${idCapacidade}`,
  }
  const subject = failureSubject(idCapacidade, acao)
  const notice = { audience: 'administradores', subject, occurrence: dayOf(now), bell } as const
  // Not a new kind: during an upgrade, the previous version reads it, too.
  await notify(tx, { ...notice, kind: 'sistema_com_problema' }, now)
}
