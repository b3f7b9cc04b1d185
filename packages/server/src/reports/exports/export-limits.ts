import { EXPORTS_UNDER_WAY, MAX_EXPORTS_PER_HOUR } from '@bi-manager/contract'
import type { Db } from '../../platform/db/open-database.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { endUnansweredExports, listRecentExports } from './report-exports.repository.ts'

const hourMs = 3_600_000

/**
 * Milliseconds for which a request without an answer counts: the provider may have started the export.
 */
const UNANSWERED_MS = 10 * 60_000

/** Thrown while the user has as many exports in progress as are allowed. */
export class TooManyExports extends Problem {
  /** @param waitMs until the first of them stops counting; undefined when that is unknown */
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
 * Checks both limits of the user. Exports in progress: those whose end the provider has not reported,
 * for an hour at most, and those without an answer to the request, for ten minutes. Exports of the last
 * hour: all that did not fail. The caller must hold a lock of the user's row, so that two calls cannot
 * both take the last place.
 * @throws Problem 429 `muitas_exportacoes` with Retry-After; `TooManyExports` for those in progress
 */
export const assertExportQuota = async (tx: Db, idUsuario: number, now: Date): Promise<void> => {
  const before = new Date(now.getTime() - UNANSWERED_MS)
  await endUnansweredExports(tx, idUsuario, { before, encerradaEm: now })
  const recent = await listRecentExports(tx, idUsuario, new Date(now.getTime() - hourMs))
  const underWay = recent.filter(({ encerradaEm }) => encerradaEm === null)
  if (underWay.length >= EXPORTS_UNDER_WAY) {
    const [first] = underWay
    const isUnanswered = underWay.every(({ externo }) => externo === null)
    throw new TooManyExports(
      first && isUnanswered ? first.pedidaEm.getTime() + UNANSWERED_MS - now.getTime() : undefined,
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
