import type { Db } from '../../platform/db/open-database.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { listKnownCapacities, noteRefresh } from './capacity-store.ts'

/**
 * Notes on the capacities of a connection that the portal asks for a refresh now. No pause is sent
 * until the provider's history shows the refresh.
 * @throws Problem `capacidade_ocupada` while one of them is being paused
 */
export const beginRefresh = async (tx: Db, idPowerBi: number): Promise<void> => {
  for (const { idCapacidade, conexoes } of await listKnownCapacities(tx)) {
    if (!conexoes.includes(idPowerBi) || (await noteRefresh(tx, idCapacidade))) continue
    throw new Problem('capacidade_ocupada', {
      detail:
        'A capacidade do serviço de BI está sendo pausada ou mudada. Aguarde um minuto e peça a atualização de novo.',
    })
  }
}
