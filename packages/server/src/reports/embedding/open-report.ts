import { isDeepStrictEqual } from 'node:util'
import { cacheLookups } from '@bi-manager/telemetry/events'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import {
  type ConnectionServices,
  effectiveIdentityOf,
  notifyConnectionFailing,
  sendsIdentity,
} from '../../connections/index.ts'
import { createPendingAudit } from '../../platform/audit/pending-lines.ts'
import { createRefusalLimiter } from '../../platform/audit/refusal-limiter.ts'
import type { AuditEvent } from '../../platform/audit/write-audit.ts'
import { isUnwritable } from '../../platform/db/drivers/unwritable.ts'
import { inBatches } from '../../platform/db/queries/in-batches.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { isUserActivityOf } from '../../platform/http/guard/session-guard.ts'
import { createBoundedCache } from '../../platform/lib/bounded-cache.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { addUsageEvents } from '../usage/usage-events.ts'
import { viewerOf } from '../visibility/visible-reports.ts'
import type { Viewable } from './embedded-report.ts'
import { findViewableReports, subjectOf } from './embedding.repository.ts'
import { issueForOpening } from './issue-for-opening.ts'

/**
 * Reports whose refusal is audited per user and minute; a caller could otherwise flood the trail
 * with invented ids.
 */
const refusalsRecorded = 10

/** Reports whose failed opening is counted per user and minute. */
const failuresCounted = 20

/** Codes of openings that wait for a capacity; they are no errors of the report. */
const waiting: ReadonlySet<string> = new Set(['capacidade_iniciando', 'bi_pausado'])

type Asked = Parameters<typeof findViewableReports>[1][number]

interface Opening {
  address: { groupId: string; reportId: string; idRelatorio?: number | null | undefined }
  user: Caller
  request: FastifyRequest
}

/**
 * Returns a function that opens a report for the caller of a request: it issues an embed token with
 * the caller's effective identity, audited before it is returned.
 * @throws Problem `relatorio_sem_permissao`, or as `issueForOpening`
 */
export const createReportOpener = (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, writeAudit } = services
  const readReport = inBatches((asked: Asked[]) => findViewableReports(db, asked))
  /**
   * Visible reports, keyed by query. Valid for the access version read with the session of the
   * call.
   */
  const known = createBoundedCache<{ version: string; report: Viewable }>(5_000)
  const findReport = async (asked: Asked, version: string): Promise<Viewable | undefined> => {
    const key = JSON.stringify(asked)
    const hit = known.get(key)
    const isHit = hit?.version === version
    cacheLookups.publish({ cache: 'report_access', isHit })
    if (isHit) return hit.report
    const report = await readReport(asked)
    // The version was read before the report, so the entry may be newer than its version, never
    // older.
    if (report) known.set(key, { version, report })
    return report
  }
  const subjectToRecord = createRefusalLimiter(now, refusalsRecorded)
  /** A token is returned only after it is audited. Concurrent calls share one statement. */
  const keep = inBatches(
    async (issued: AuditEvent[]) => {
      await writeAudit(db, issued)
      return issued
    },
    // While the database writes one batch, the next one is collected and sent.
    { largest: 100, concurrent: 2 },
  )
  const writePending = createPendingAudit(services)
  const keepInFile = inBatches(async (issued: AuditEvent[]) => {
    await writePending(issued)
    return issued
  })
  /**
   * While the trail cannot be written, the line of a report without protected rows waits on the disk.
   * @throws Problem 503 for other reports, and when the line is not on the disk
   */
  const keepOrWait = async (line: AuditEvent, report: Viewable, log: FastifyRequest['log']) => {
    await keep(line).catch(async (cause: unknown) => {
      if (!isUnwritable(cause)) throw cause
      if (isProtected(report)) throw closedProblem(cause)
      await keepInFile(line).catch((err: unknown) => {
        log.error({ err }, 'an audit line could not be kept in a file')
        throw closedProblem(cause)
      })
    })
  }

  const failureToCount = createRefusalLimiter(now, failuresCounted)
  /** Counts once per user, report, cause and minute: the viewer repeats a failed opening. */
  const countFailure = async (idUsuario: number, idRelatorio: number, error: unknown): Promise<void> => {
    if (!(error instanceof Problem) || waiting.has(error.codigo)) return
    const nome = error.codigo
    if (!failureToCount(idUsuario, `${idRelatorio} ${nome}`)) return
    const events = [{ tipo: 'erro' as const, nome }]
    await inTransaction(db, (tx) => addUsageEvents(tx, { idUsuario, idRelatorio, events }, now()))
  }

  return async ({ address, user, request }: Opening) => {
    const findFor = async (viewer: Caller): Promise<Viewable> => {
      const report = await findReport({ ...viewerOf(viewer), ...address }, viewer.versaoAcesso)
      if (report) return report
      const subject = subjectToRecord(user.idUsuario, `${address.groupId}/${address.reportId}`)
      if (subject) await app.auditOf(request)(db, 'embed.refused', subject)
      // Same answer whether the report is missing or not granted, except to an ADMIN.
      throw new Problem(viewer.tipo === 'ADMIN' ? 'nao_encontrado' : 'relatorio_sem_permissao')
    }
    const report = await findFor(user)
    const identity = effectiveIdentityOf(report, user)
    const { idRelatorio } = report
    const isUserActivity = isUserActivityOf(request)
    const onError = async (error: unknown) => {
      const counted = isUserActivity ? countFailure(user.idUsuario, idRelatorio, error) : undefined
      await counted?.catch((err: unknown) => {
        request.log.error({ err }, 'failed to count an error of a report')
      })
      await notifyConnectionFailing(db, error, report, now()).catch((err: unknown) => {
        request.log.error({ err }, 'failed to notify the administrators of a failing connection')
      })
    }
    const opening = { report, identity, user, request, write: app.writeOf(request), onError }
    const { issued, embedded } = await issueForOpening(services, opening)
    // Permissions may have changed while the provider answered, which can take seconds.
    const current = await app.checkCallerAgain(request)
    const isChanged =
      current.versaoAcesso !== user.versaoAcesso ||
      !isDeepStrictEqual(effectiveIdentityOf(report, current), identity)
    if (isChanged) {
      const again = await findFor(current)
      const isSame = isDeepStrictEqual([again, effectiveIdentityOf(again, current)], [report, identity])
      if (!isSame) throw new Problem('servico_indisponivel', { retryAfter: 1 })
    }
    const line: AuditEvent = {
      // The page prefetches and renews tokens by itself: the person has not opened a report.
      action: isUserActivity ? 'embed.issued' : 'embed.prepared',
      idUsuario: user.idUsuario,
      subject: subjectOf(idRelatorio),
      details: { tokenId: issued.tokenId, expiraEm: issued.expiration, identidade: identity ?? null },
      request,
    }
    await keepOrWait(line, report, request.log)
    return embedded
  }
}

/** Whether who saw which rows of the report must be known for certain. */
const isProtected = (report: Viewable): boolean =>
  sendsIdentity(report) || report.usuarioIdentidade !== null || report.sensivel

const closedProblem = (cause: unknown): Problem =>
  new Problem('servico_indisponivel', { detail: CLOSED, retryAfter: 30, cause })

const CLOSED =
  'A auditoria não pode ser gravada agora, e este relatório só abre com ela: ele tem dados sensíveis ou linhas por pessoa, ou o registro da abertura não pôde ser guardado. Tente mais tarde.'
