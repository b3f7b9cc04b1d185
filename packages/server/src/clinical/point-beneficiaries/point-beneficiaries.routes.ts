import { isDeepStrictEqual } from 'node:util'
import { pointBeneficiariesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { effectiveIdentityOf, registeredConnection } from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { createViewCheck, viewerOf } from '../../reports/index.ts'
import { findByPlanIds } from '../beneficiaries/beneficiaries.ts'
import { accessTo, REGISTRY_SUBJECT } from '../beneficiaries/beneficiary-access.ts'
import { purposeOf } from '../health-data/purpose.ts'
import { createRecordAccess } from '../health-data/record-access.ts'
import { findReport } from './point-beneficiaries.repository.ts'
import type { PointServices } from './point-services.ts'

/**
 * Lists the beneficiaries behind a data point. The report service is asked with the caller's own
 * effective identity, also while an ADMIN sees the report as another user does ('Ver como').
 */
export const pointBeneficiariesRoutes = async (app: FastifyInstance, services: PointServices) => {
  const { db, secrets, embedIssuer, points } = services
  const recordAccess = createRecordAccess(services)

  const reportAndIdentityOf = async (tx: Db, id: number, user: Caller) => {
    const report = orNotFound(await findReport(tx, viewerOf(user), id))
    return { report, identity: effectiveIdentityOf(report, user) }
  }

  serve(
    app,
    pointBeneficiariesApi.list,
    async ({ params: { id }, body: { ponto } }, context) => {
      if (purposeOf(context.request).code === 'nao_informada') throw new Problem('finalidade_obrigatoria')
      const asked = await reportAndIdentityOf(db, id, context.user)
      const { groupId, reportId, datasetsAdicionais } = asked.report
      const connection = registeredConnection(asked.report, services)
      if (connection.provider !== 'local') throw new Problem('ponto_sem_beneficiarios')
      const reference = { connection, groupId, reportId, datasetsAdicionais }
      const { identities } = await embedIssuer.identitiesFor(reference, asked.identity)
      const { ids, more } = await points.listBeneficiaries(connection, reference, {
        point: ponto,
        identities,
      })
      // The service may take seconds. If report or identity changed since, the client tries again.
      const current = await app.checkCallerAgain(context.request)
      return context.write(async (tx) => {
        if (!isDeepStrictEqual(await reportAndIdentityOf(tx, id, current), asked))
          throw new Problem('servico_indisponivel', { retryAfter: 1 })
        const { people, unregisteredCount } = await findByPlanIds(tx, secrets, ids)
        const listed = people.toSorted((a, b) =>
          a.nome_beneficiario.localeCompare(b.nome_beneficiario, 'pt-BR', { numeric: true }),
        )
        await recordAccess(tx, context, accessTo('lido', listed), {
          action: 'beneficiary.read',
          subject: REGISTRY_SUBJECT,
          details: { relatorio: id, pagina: ponto.page, visual: ponto.visual, encontrados: listed.length },
        })
        return { beneficiarios: listed, naoCadastrados: unregisteredCount, naoListados: more }
      })
    },
    { authorize: createViewCheck(db) },
  )
}
