import { guestVisitsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { type ConnectionServices, effectiveIdentityOf } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { GuestVisit } from '../../platform/http/callers/guest-visit.ts'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { embedWithoutUser, openedColumns } from '../../reports/index.ts'
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
  const { db, now, capacityGate } = services
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
    const { found, embedded } = await embedWithoutUser(services, request, {
      find: () => findReport(db, visit, now()),
      reader: `visita:${visit.marca}`,
      lifetimeMinutes: minutesLeft(visit),
      action: 'guest.embed-issued',
      subjectOf: () => `convidado:${visit.idConvidado}`,
    })
    await capacityGate.noteUse(found.report.idPowerBi)
    const { embedToken, embedUrl, reportId, expiration, nomeRelatorio, filtros } = embedded
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
