import { accessActions, accessObjects, dataProtectionApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readLetterhead } from '../../platform/brand/brand.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { answerCsv } from '../../platform/http/lists/csv.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { SerialisedJson, serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { accessTo } from '../beneficiaries/beneficiary-access.ts'
import { readerText } from '../health-data/author.ts'
import { orFirstPage } from '../health-data/first-page.ts'
import { purposeOf } from '../health-data/purpose.ts'
import { type Access, accessOf, type CallContext, createRecordAccess } from '../health-data/record-access.ts'
import { exportAccesses, listAccesses } from './accesses.repository.ts'
import { type ExportParts, exportJson } from './beneficiary-json.ts'
import { exportPdf } from './beneficiary-pdf.ts'
import {
  type AttachmentOptions,
  assertFilesInReach,
  findHeldData,
  type HeldData,
  heldAttachments,
  heldRecords,
} from './held-data.repository.ts'
import { serveIncidents } from './incidents.routes.ts'
import { listRetention } from './retention.repository.ts'

/** Serves the calls of the data protection officer (encarregado, LGPD art. 41). */
export const dataProtectionRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  /** Records the export before it is sent, in the transaction that reads which data to send. */
  const recordExport = async (
    id: number,
    { user, request }: CallContext,
    { formato, withFiles }: { formato: 'json' | 'pdf' } & AttachmentOptions,
  ): Promise<ExportParts> => {
    const held = await inTransaction(db, async (tx) => {
      const found = orNotFound(await findHeldData(tx, secrets, id))
      await recordAccess(tx, { user, request }, exportedOf(found), {
        action: 'beneficiary.exported',
        subject: subjectOf(id),
        details: { formato },
      })
      return found
    })
    return {
      by: readerText(user),
      at: now(),
      held,
      records: heldRecords(services, held),
      attachments: heldAttachments(services, held, { withFiles }),
      accesses: await exportAccesses(db, secrets, id),
    }
  }

  serve(
    app,
    dataProtectionApi.export,
    async ({ params: { id } }, context) => {
      await assertFilesInReach(services, id)
      const onLost = (anexo: number, err: Error) =>
        context.request.log.error({ err, anexo }, 'exported without a lost file')
      const parts = await recordExport(id, context, { formato: 'json', withFiles: { onLost } })
      context.reply.header('content-disposition', `attachment; filename="beneficiario-${id}.json"`)
      return new SerialisedJson(exportJson(parts))
    },
    { largeAnswer: 'file' },
  )

  serve(app, dataProtectionApi.exportPdf, async ({ params: { id } }, context) => {
    const pdf = await exportPdf(
      await recordExport(id, context, { formato: 'pdf', withFiles: false }),
      await readLetterhead(db),
    )
    context.reply.header('content-disposition', `attachment; filename="beneficiario-${id}.pdf"`)
    return pdf
  })

  serve(app, dataProtectionApi.accesses, ({ params: { id }, query }, context) =>
    inTransaction(db, async (tx) => {
      await assertBeneficiary(tx, id)
      const page = await listAccesses(tx, secrets, id, orFirstPage(query))
      // Logging reads of the access log would add a row for each read, so only the audit trail
      // records them.
      await recordAccess(tx, context, [], { action: 'access-log.read', subject: subjectOf(id) })
      return answerList(page, orFirstPage(query), context)
    }),
  )

  serve(app, dataProtectionApi.accessesCsv, async ({ params: { id } }, context) => {
    await assertBeneficiary(db, id)
    const { count, rows } = await exportAccesses(db, secrets, id)
    return answerCsv(db, context, {
      action: 'access-log.exported',
      name: `acessos-beneficiario-${id}`,
      subject: subjectOf(id),
      query: { finalidade: purposeOf(context.request).code },
      list: { count, rows: inWords(rows) },
      columns: {
        idAcesso: 'Nº',
        quando: 'Quando',
        nomeUsuario: 'Quem',
        idUsuario: 'Nº do usuário',
        acao: 'Ação',
        objeto: 'Objeto',
        idObjeto: 'Nº do objeto',
        finalidade: 'Finalidade',
      },
    })
  })

  serve(app, dataProtectionApi.retention, ({ query }, context) =>
    inTransaction(db, async (tx) => {
      const page = await listRetention(tx, { secrets, now: now() }, orFirstPage(query))
      await recordAccess(
        tx,
        context,
        accessTo(
          'lido',
          page.rows.map(({ beneficiario }) => ({ id: beneficiario })),
        ),
        { action: 'retention.read', subject: 'retencao' },
      )
      return answerList(page, orFirstPage(query), context)
    }),
  )

  serveIncidents(app, services)
}

const subjectOf = (id: number) => `beneficiario:${id}`

/** Returns the rows of the access log: one for the person, one for each record and attachment. */
const exportedOf = ({ beneficiario, prontuarios, anexos }: HeldData): Access[] => {
  const exported = (objeto: 'prontuario' | 'anexo') => (id: number) =>
    accessOf('exportado', objeto, { id, beneficiario: beneficiario.id })
  return [
    ...accessTo('exportado', [beneficiario]),
    ...prontuarios.map(exported('prontuario')),
    ...anexos.map(exported('anexo')),
  ]
}

const assertBeneficiary = async (db: Db, id: number): Promise<void> => {
  orNotFound(await db.selectFrom('beneficiario').select('id').where('id', '=', id).executeTakeFirst())
}

async function* inWords(rows: Awaited<ReturnType<typeof exportAccesses>>['rows']) {
  for await (const row of rows) {
    yield {
      ...row,
      quando: new Date(row.quando),
      acao: accessActions[row.acao],
      objeto: accessObjects[row.objeto],
    }
  }
}
