import { isDeepStrictEqual } from 'node:util'
import { type ReportAddress, reportsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { type ConnectionServices, effectiveIdentityOf, sendsIdentity } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { isCurrent } from '../../platform/db/queries/expiry.ts'
import { isUserActivityOf } from '../../platform/http/guard/session-guard.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { findViewableReports, issueForOpening, viewerOf } from '../../reports/index.ts'

type ReportAddressInput = ReportAddress & { idRelatorio?: number | null | undefined }

/**
 * 'Ver como': opens a report with another person's identity. Writes an audit line and records no
 * view.
 */
export const viewAsRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db } = services

  serve(app, reportsApi.viewAs, async ({ params, body }, { user, request, auditIn, write }) => {
    const found = await findReportOfPerson(db, params.idUsuario, body)
    const { issued, embedded } = await issueForOpening(services, {
      ...found,
      user,
      request,
      write,
      explainsRules: true,
    })
    // The provider may take seconds: neither the caller nor the person may have changed since.
    await app.checkCallerAgain(request)
    if (!isDeepStrictEqual(await findReportOfPerson(db, params.idUsuario, body), found)) {
      throw new Problem('servico_indisponivel', { retryAfter: 1 })
    }
    const action = isUserActivityOf(request) ? 'report.viewed-as' : 'report.view-as-renewed'
    await auditIn(db, action, `usuario:${params.idUsuario}`, {
      idRelatorio: found.report.idRelatorio,
      nomeRelatorio: found.report.nomeRelatorio,
      tokenId: issued.tokenId,
      expiraEm: issued.expiration,
      identidade: found.identity ?? null,
    })
    return embedded
  })
}

/**
 * Returns the report as the person sees it, and the person's effective identity.
 * @throws Problem 404 without such a person; 409 `ver_como_indisponivel` when the person cannot
 * sign in, does not see the report, or has no proven e-mail for it
 */
const findReportOfPerson = async (db: Db, idUsuario: number, address: ReportAddressInput) => {
  const person = orNotFound(
    await db
      .selectFrom('usuario')
      .select(['idUsuario', 'tipoUsuario as tipo', 'situacao', 'emailUsuario', 'identidadeRls'])
      .select((eb) => eb.not('emailPorProvar').as('emailComprovado'))
      .select(isCurrent('usuario.venceEm').as('isCurrent'))
      .where('idUsuario', '=', idUsuario)
      .executeTakeFirst(),
  )
  if (person.situacao !== 'ATIVO') {
    throw new Problem('ver_como_indisponivel', { detail: accountRefusals[person.situacao] })
  }
  if (!person.isCurrent) throw new Problem('ver_como_indisponivel', { detail: ended })
  const [report] = await findViewableReports(db, [{ ...viewerOf(person), ...address }])
  if (!report) throw new Problem('ver_como_indisponivel', { detail: notGranted })
  if (sendsIdentity(report) && !person.emailComprovado) {
    throw new Problem('ver_como_indisponivel', { detail: unproven })
  }
  return { report, identity: effectiveIdentityOf(report, person) }
}

const accountRefusals = {
  PENDENTE: 'O cadastro desta pessoa ainda aguarda aprovação: ela não consegue abrir relatórios.',
  BLOQUEADO: 'Esta pessoa está bloqueada: ela não consegue abrir relatórios.',
}

const ended = 'O prazo da conta desta pessoa terminou: ela não consegue abrir relatórios.'

const notGranted = 'Este relatório não está liberado para esta pessoa.'

const unproven =
  'O e-mail desta pessoa não está confirmado, e as linhas deste relatório dependem dele: o relatório não abre para ela.'
