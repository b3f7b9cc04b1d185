import { EXPORTS_AN_HOUR, EXPORTS_UNDER_WAY } from '@bi-manager/contract'
import type { Db } from '../../db/open-database.ts'
import { Problem } from '../../problem.ts'
import { listRecentExports } from './report-exports.repository.ts'

const hourMs = 3_600_000

/** The provider has given no id for it, and so cannot be asked: it may have begun all the same. */
const unansweredMs = 10 * 60_000

/** A limit that holds no longer when one of the person's exports has ended at the provider. */
export class TooManyUnderWay extends Problem {
  constructor() {
    const detail = `Você já tem ${EXPORTS_UNDER_WAY} exportações em andamento. Aguarde uma terminar.`
    super('muitas_exportacoes', { retryAfter: 30, detail })
  }
}

/**
 * An export counts as under way until the provider reports its end, for an hour at most. Under a lock
 * of the person's row, so that two calls at once do not both take the last place.
 * @throws Problem `muitas_exportacoes` with Retry-After
 */
export const assertMayExport = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const recent = await listRecentExports(tx, idUsuario, new Date(now.getTime() - hourMs))
  const isUnderWay = ({ pedidaEm, encerradaEm, externo }: (typeof recent)[number]) =>
    encerradaEm === null && (externo !== null || now.getTime() - pedidaEm.getTime() < unansweredMs)
  if (recent.filter(isUnderWay).length >= EXPORTS_UNDER_WAY) throw new TooManyUnderWay()
  const [oldest] = recent
  if (oldest && recent.length >= EXPORTS_AN_HOUR) {
    const retryAfter = Math.ceil((oldest.pedidaEm.getTime() + hourMs - now.getTime()) / 1000)
    const detail = `Você já pediu ${EXPORTS_AN_HOUR} exportações na última hora. Aguarde alguns minutos.`
    throw new Problem('muitas_exportacoes', { retryAfter, detail })
  }
}
