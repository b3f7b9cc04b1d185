import type { Db } from '../db/open-database.ts'
import { Problem } from '../lib/problem.ts'
import { listKnownCapacities } from './capacity-store.ts'

/** @throws Problem `capacidade_ocupada` while a capacity of the connection is being paused */
export const assertNotPausing = async (db: Db, idPowerBi: number, now: Date): Promise<void> => {
  const isPausing = (await listKnownCapacities(db)).some(
    ({ conexoes, estado, ocupadaAte }) =>
      conexoes.includes(idPowerBi) &&
      (estado === 'PAUSANDO' || (estado === 'ATIVA' && ocupadaAte !== null && ocupadaAte > now)),
  )
  if (isPausing)
    throw new Problem('capacidade_ocupada', {
      detail:
        'A capacidade do serviço de BI está sendo pausada ou mudada. Aguarde um minuto e peça a atualização de novo.',
    })
}
