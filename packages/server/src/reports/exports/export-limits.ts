import { EXPORTS_UNDER_WAY, MAX_EXPORTS_PER_HOUR } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { endUnansweredExports, listRecentExports } from './report-exports.repository.ts'

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
  /** @param waitMs until the first place comes free; undefined when that is known to no one */
  constructor(waitMs?: number) {
    const underWay = `Você já tem ${EXPORTS_UNDER_WAY} exportações em andamento. Aguarde uma terminar.`
    const unanswered = `O serviço de BI não respondeu a ${EXPORTS_UNDER_WAY} pedidos de exportação seus, e pode ainda estar gerando os arquivos. Você pode pedir outra em ${waitText(waitMs ?? 0)}.`
    super('muitas_exportacoes', {
      retryAfter: waitMs === undefined ? 30 : waitMs / 1000,
      detail: waitMs === undefined ? underWay : unanswered,
    })
  }
}

/**
 * Counts an export as under way until the provider reports its end, for an hour at most, and one
 * without an answer for ten minutes. No failed export counts in the hour. The caller must hold a
 * lock of the user's row, so that two calls cannot both take the last place.
 * @throws Problem 429 `muitas_exportacoes` with Retry-After
 */
export const assertMayExport = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - unansweredMs)
  await endUnansweredExports(tx, idUsuario, { before, encerradaEm: now })
  const recent = await listRecentExports(tx, idUsuario, new Date(now.getTime() - hourMs))
  const underWay = recent.filter(({ encerradaEm }) => encerradaEm === null)
  if (underWay.length >= EXPORTS_UNDER_WAY) {
    const [first] = underWay
    const isUnanswered = underWay.every(({ externo }) => externo === null)
    throw new TooManyExports(
      first && isUnanswered ? first.pedidaEm.getTime() + unansweredMs - now.getTime() : undefined,
    )
  }
  const made = recent.filter(({ falhou }) => !falhou)
  // The wait ends when so many have left the hour that one more fits.
  const last = made.at(-MAX_EXPORTS_PER_HOUR)
  if (last) {
    const waitMs = last.pedidaEm.getTime() + hourMs - now.getTime()
    const detail = `Você já pediu ${MAX_EXPORTS_PER_HOUR} exportações na última hora. Você pode pedir outra em ${waitText(waitMs)}.`
    throw new Problem('muitas_exportacoes', { retryAfter: waitMs / 1000, detail })
  }
}

const waitText = (ms: number): string => countText(Math.max(1, Math.ceil(ms / 60_000)), 'minuto', 'minutos')
