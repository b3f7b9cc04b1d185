import { isDeepStrictEqual } from 'node:util'
import { guestVisitsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { type ConnectionServices, effectiveIdentityOf } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { GuestVisit } from '../../platform/http/callers/guest-visit.ts'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { embeddedReportOf, issueWithoutUser, openedColumns } from '../../reports/index.ts'
import { fromOpenVisit } from './guests.ts'

/** Embed tokens per minute and visit: each is a call of the provider and a line of the audit. */
const embedsAMinute = 12

/**
 * Minutes of a guest's token, which no revocation reaches: shorter than those of users. The page asks
 * for the next one in time.
 */
const tokenMinutes = 15

/** Embed tokens for guests. They record no view and no usage. */
export const guestEmbedRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, capacityGate, writeAudit } = services
  const assertFewEmbeds = createCallLimit(app, services, embedsAMinute)

  /** A token does not outlive its visit. */
  const minutesLeft = ({ expiraEm }: GuestVisit): number => {
    const left = Math.floor((expiraEm.getTime() - now().getTime()) / 60_000)
    // The provider takes 0 for no limit.
    if (left < 1) throw new Problem('visita_encerrada')
    return Math.min(tokenMinutes, left)
  }

  serve(app, guestVisitsApi.embed, async (_, { request }) => {
    const visit = orNotFound(request.guest)
    await assertFewEmbeds(`visita-embed:${visit.marca}`)
    const { report, identity } = await findReport(db, visit, now())
    const issued = await issueWithoutUser(services, {
      report,
      identity,
      reader: `visita:${visit.marca}`,
      lifetimeMinutes: minutesLeft(visit),
    })
    // Visit, invitation and rules may have changed while the provider answered.
    if (!isDeepStrictEqual(await findReport(db, visit, now()), { report, identity })) {
      throw new Problem('servico_indisponivel', { retryAfter: 1 })
    }
    await capacityGate.noteUse(report.idPowerBi)
    const details = {
      idRelatorio: report.idRelatorio,
      tokenId: issued.tokenId,
      expiraEm: issued.expiration,
      identidade: identity ?? null,
    }
    const subject = `convidado:${visit.idConvidado}`
    await writeAudit(db, { action: 'guest.embed-issued', idUsuario: null, subject, details, request })
    const { embedToken, embedUrl, reportId, expiration, nomeRelatorio, filtros } = embeddedReportOf(
      report,
      issued,
    )
    return { embedToken, embedUrl, reportId, expiration, nomeRelatorio, filtros }
  })
}

/**
 * Returns the report of an open visit, and the effective identity of its invitation.
 * @throws Problem 401 `visita_encerrada`
 */
const findReport = async (db: Db, { marca }: GuestVisit, now: Date) => {
  const row = await fromOpenVisit(db, marca, now)
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['convidado.usuarioIdentidade as usuarioConvidado', 'convidado.identidadeRls'])
    .select(openedColumns)
    .executeTakeFirst()
  if (!row) throw new Problem('visita_encerrada')
  const { usuarioConvidado, identidadeRls, ...report } = row
  // Never the guest's own address: only an ADMIN decides whose rows they see.
  const viewer = { emailUsuario: usuarioConvidado ?? '', emailComprovado: true, identidadeRls }
  return { report: { ...report, temComentarios: false }, identity: effectiveIdentityOf(report, viewer) }
}
