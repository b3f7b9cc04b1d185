import { EXPORTS_AN_HOUR, EXPORTS_UNDER_WAY } from '@bi-manager/contract'
import type { Db } from '../../db/open-database.ts'
import { Problem } from '../../lib/problem.ts'
import { listRecentExports } from './report-exports.repository.ts'

const hourMs = 3_600_000

/**
 * Milliseconds. Without an answer to the request, the provider may still have started the export.
 */
const unansweredMs = 10 * 60_000

/**
 * Thrown for a limit that no longer applies once one of the user's exports has ended at the
 * provider.
 */
export class TooManyExports extends Problem {
  constructor() {
    const detail = `Você já tem ${EXPORTS_UNDER_WAY} exportações em andamento. Aguarde uma terminar.`
    super('muitas_exportacoes', { retryAfter: 30, detail })
  }
}

/**
 * Counts an export as under way until the provider reports its end, for an hour at most. The caller
 * must hold a lock of the user's row, so that two calls cannot both take the last place.
 * @throws Problem 429 `muitas_exportacoes` with Retry-After
 */
export const assertMayExport = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const recent = await listRecentExports(tx, idUsuario, new Date(now.getTime() - hourMs))
  const isUnderWay = ({ pedidaEm, encerradaEm, externo }: (typeof recent)[number]) =>
    encerradaEm === null && (externo !== null || now.getTime() - pedidaEm.getTime() < unansweredMs)
  if (recent.filter(isUnderWay).length >= EXPORTS_UNDER_WAY) throw new TooManyExports()
  const [oldest] = recent
  if (oldest && recent.length >= EXPORTS_AN_HOUR) {
    const retryAfter = Math.ceil((oldest.pedidaEm.getTime() + hourMs - now.getTime()) / 1000)
    const detail = `Você já pediu ${EXPORTS_AN_HOUR} exportações na última hora. Aguarde alguns minutos.`
    throw new Problem('muitas_exportacoes', { retryAfter, detail })
  }
}
