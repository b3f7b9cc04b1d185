import { csvColumnsOf, reportEntity, reportRecordsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf, explainMissedUpdate } from '../../audit/record-change.ts'
import { lockRow } from '../../db/lock-row.ts'
import { answerCsv } from '../../http/csv.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { encodeLogo } from './logo-image.ts'
import {
  countPeopleWith,
  deleteLogo,
  deleteReport,
  exportReports,
  findLogo,
  findReport,
  importReports,
  insertReport,
  listReports,
  updateReport,
  upsertLogo,
} from './report-records.repository.ts'

export const reportRecordsRoutes = async (app: FastifyInstance, { db, recordAudit }: Services) => {
  serve(app, reportRecordsApi.list, async ({ query }, context) =>
    sendListHeaders(await listReports(db, query), query, context),
  )

  serve(app, reportRecordsApi.exportCsv, async ({ query }, context) =>
    answerCsv({ db, recordAudit }, context, {
      name: reportEntity.list,
      query,
      list: await exportReports(db, query),
      columns: csvColumnsOf(reportEntity),
    }),
  )

  serve(app, reportRecordsApi.get, async ({ params }) => {
    const report = await findReport(db, params.id)
    if (!report) throw new Problem('nao_encontrado')
    return report
  })

  serve(app, reportRecordsApi.create, ({ body }, { user, request, write }) =>
    write(async (tx) => {
      const report = await insertReport(tx, body)
      await recordAudit(tx, {
        action: 'report.created',
        idUsuario: user.idUsuario,
        subject: subjectOf(report.idRelatorio),
        details: { depois: report },
        request,
      })
      return report
    }),
  )

  serve(app, reportRecordsApi.import, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx) => {
      const imported = await importReports(tx, id, body)
      if (!imported) throw new Problem('nao_encontrado')
      await recordAudit(
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
    }),
  )

  serve(app, reportRecordsApi.update, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx) => {
      const ifMatch = ifMatchOf(request)
      await lockRow(tx, reportEntity, id)
      const before = await findReport(tx, id)
      const report = before && (await updateReport(tx, id, body, ifMatch))
      if (!report) throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      await recordAudit(tx, {
        action: 'report.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: changeOf(before, report),
        request,
      })
      return report
    }),
  )

  serve(app, reportRecordsApi.remove, ({ params: { id } }, { user, request, write }) =>
    write(async (tx) => {
      await lockRow(tx, reportEntity, id)
      const before = await findReport(tx, id)
      const pessoas = await countPeopleWith(tx, id)
      if (!before || !(await deleteReport(tx, id))) throw new Problem('nao_encontrado')
      await recordAudit(tx, {
        action: 'report.deleted',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: { antes: before, pessoas },
        request,
      })
    }),
  )

  serve(
    app,
    reportRecordsApi.setLogo,
    async ({ params: { id }, body }, { user, request, write }) => {
      const logo = await encodeLogo(Buffer.from(body.imagem, 'base64'))
      return write(async (tx) => {
        const ifMatch = ifMatchOf(request)
        await lockRow(tx, reportEntity, id)
        const before = await findReport(tx, id)
        const raised = before && (await updateReport(tx, id, {}, ifMatch))
        if (!raised)
          throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
        await upsertLogo(tx, id, logo)
        const report = { ...raised, logo: logo.marca }
        await recordAudit(tx, {
          action: 'report.updated',
          idUsuario: user.idUsuario,
          subject: subjectOf(id),
          details: changeOf(before, report),
          request,
        })
        return report
      })
    },
    {
      authorize: async ({ id }) => {
        if (!(await findReport(db, id))) throw new Problem('nao_encontrado')
      },
    },
  )

  serve(app, reportRecordsApi.removeLogo, ({ params: { id } }, { user, request, write }) =>
    write(async (tx) => {
      await lockRow(tx, reportEntity, id)
      const before = await findReport(tx, id)
      const raised = before && (await updateReport(tx, id, {}))
      if (!raised || !(await deleteLogo(tx, id))) throw new Problem('nao_encontrado')
      const report = { ...raised, logo: null }
      await recordAudit(tx, {
        action: 'report.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: changeOf(before, report),
        request,
      })
    }),
  )

  serve(app, reportRecordsApi.logo, async ({ params: { id } }) => {
    const logo = await findLogo(db, id)
    if (!logo) throw new Problem('nao_encontrado')
    return Buffer.from(logo.imagem)
  })
}

const subjectOf = (id: number) => `relatorio:${id}`
