import { type Report, type ReportDraft, reportEntity, reportRegistrationsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changesRows } from '../../accounts/index.ts'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import { encodeLogo } from '../../platform/files/images/encode-logo.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerEntitiesCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { addsOtherRows, findRegistration, restrictsRows, rowsOfRegistration } from './registered-rows.ts'
import {
  countPeopleWith,
  deleteLogo,
  exportReports,
  findLogo,
  findReport,
  importReports,
  listOperadoras,
  listReports,
  upsertLogo,
} from './report-registrations.repository.ts'

export const reportRegistrationsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, writeAudit } = services
  serveList(app, reportRegistrationsApi.list, (query) => listReports(db, query))

  serve(app, reportRegistrationsApi.exportCsv, async ({ query }, context) =>
    answerEntitiesCsv(db, context, reportEntity, { query, list: await exportReports(db, query) }),
  )

  serve(app, reportRegistrationsApi.operadoras, () => listOperadoras(db))

  serve(app, reportRegistrationsApi.get, async ({ params }) => orNotFound(await findReport(db, params.id)))

  serve(app, reportRegistrationsApi.create, ({ body }, { assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const report = await insertEntity(tx, reportEntity, rowOf(body), findReport)
      if (await addsOtherRows(tx, [report.idRelatorio])) assertReauthenticated()
      assertFitsType(report)
      await audit('report.created', subjectOf(report.idRelatorio), { depois: report })
      return report
    }),
  )

  serve(app, reportRegistrationsApi.import, ({ params: { id }, body }, context) => {
    const { user, request, assertReauthenticated, write } = context
    return write(async (tx) => {
      const imported = orNotFound(await importReports(tx, id, body))
      const ids = imported.map(({ idRelatorio }) => idRelatorio)
      if (await addsOtherRows(tx, ids)) assertReauthenticated()
      await writeAudit(
        tx,
        imported.map((report) => ({
          action: 'report.created',
          idUsuario: user.idUsuario,
          subject: subjectOf(report.idRelatorio),
          details: { depois: report, importados: imported.length },
          request,
        })),
      )
      return imported
    })
  })

  serve(
    app,
    reportRegistrationsApi.update,
    ({ params: { id }, body }, { request, assertReauthenticated, write }) =>
      write(async (tx, audit) => {
        const before = await lockEntity(tx, reportEntity, id, findReport, ifMatchOf(request))
        const rowsBefore = await rowsOf(tx, id)
        const report = await updateEntity(tx, reportEntity, id, rowOf(body), findReport)
        // Compares with the written row; a refusal rolls the update back.
        if (changesRows(rowsBefore, await rowsOf(tx, id))) assertReauthenticated()
        assertFitsType(report)
        await audit('report.updated', subjectOf(id), changeOf(before, report))
        return report
      }),
  )

  serve(app, reportRegistrationsApi.remove, ({ params: { id } }, { assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, reportEntity, id, findReport)
      if (restrictsRows(orNotFound(await findRegistration(tx, id)))) assertReauthenticated()
      const pessoas = await countPeopleWith(tx, id)
      await deleteRow(tx, reportEntity, id)
      await audit('report.deleted', subjectOf(id), { antes: before, pessoas })
    }),
  )

  serve(
    app,
    reportRegistrationsApi.setLogo,
    async ({ params: { id }, body }, { request, write }) => {
      const logo = await encodeLogo(body.imagem, 'logo')
      return write(async (tx, audit) => {
        const before = await lockEntity(tx, reportEntity, id, findReport, ifMatchOf(request))
        await upsertLogo(tx, id, logo)
        const report = await updateEntity(tx, reportEntity, id, {}, findReport)
        await audit('report.updated', subjectOf(id), changeOf(before, report))
        return report
      })
    },
    {
      authorize: async ({ id }) => {
        orNotFound(await findReport(db, id))
      },
    },
  )

  serve(app, reportRegistrationsApi.removeLogo, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, reportEntity, id, findReport)
      if (!(await deleteLogo(tx, id))) throw new Problem('nao_encontrado')
      const report = await updateEntity(tx, reportEntity, id, {}, findReport)
      await audit('report.updated', subjectOf(id), changeOf(before, report))
    }),
  )

  serve(app, reportRegistrationsApi.logo, async ({ params: { id } }) =>
    Buffer.from(orNotFound(await findLogo(db, id)).imagem),
  )
}

const subjectOf = (id: number) => `relatorio:${id}`

const rowsOf = async (tx: Db, id: number) => rowsOfRegistration(orNotFound(await findRegistration(tx, id)))

/** Serialised here: the driver would turn a list into a PostgreSQL array, and the column is jsonb. */
const rowOf = ({ filtrosPainel, ...fields }: ReportDraft) => ({
  ...fields,
  ...(filtrosPainel !== undefined && { filtrosPainel: filtrosPainel && JSON.stringify(filtrosPainel) }),
})

/** A paginated report has parameters instead of filters. */
const assertFitsType = ({ tipoRelatorio, filtro, parametros, filtrosPainel }: Report): void => {
  if (tipoRelatorio === 'PAGINADO' && filtro !== null) {
    const fault = 'Um relatório paginado não aceita filtro: use um parâmetro.'
    throw new Problem('campos_invalidos', { campos: { filtro: fault } })
  }
  if (tipoRelatorio === 'PAGINADO' && filtrosPainel !== null) {
    const fault = 'Um relatório paginado não tem o painel de filtros.'
    throw new Problem('campos_invalidos', { campos: { filtrosPainel: fault } })
  }
  if (tipoRelatorio === 'INTERATIVO' && parametros.length > 0) {
    const fault = 'Só um relatório paginado tem parâmetros.'
    throw new Problem('campos_invalidos', { campos: { parametros: fault } })
  }
}
