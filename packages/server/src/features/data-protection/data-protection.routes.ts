import { accessActions, accessObjects, dataProtectionApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readerText } from '../../clinical/author.ts'
import { accessTo } from '../../clinical/beneficiary-access.ts'
import { pageOf } from '../../clinical/first-page.ts'
import { purposeOf } from '../../clinical/purpose.ts'
import { type Access, createRecordAccess } from '../../clinical/record-access.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import type { Db } from '../../db/open-database.ts'
import { answerCsv } from '../../http/csv.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { SerialisedJson, serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { exportAccesses, listAccesses } from './accesses.repository.ts'
import { exportJson } from './beneficiary-json.ts'
import { exportPdf } from './beneficiary-pdf.ts'
import {
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
  type Context = Pick<Parameters<typeof recordAccess>[1], 'user' | 'request'>

  /** Logs and audits the export first; then exactly the logged data is sent. */
  const recordExport = (id: number, { user, request }: Context, formato: 'json' | 'pdf'): Promise<HeldData> =>
    inTransaction(db, async (tx) => {
      const held = await findHeldData(tx, secrets, id)
      if (!held) throw new Problem('nao_encontrado')
      await recordAccess(tx, {
        user,
        request,
        accesses: exportedOf(held),
        audit: { action: 'beneficiary.exported', subject: subjectOf(id), details: { formato } },
      })
      return held
    })

  serve(app, dataProtectionApi.export, async ({ params: { id } }, { user, request, reply }) => {
    await assertFilesInReach(services, id)
    const held = await recordExport(id, { user, request }, 'json')
    const { rows: accesses } = await exportAccesses(db, secrets, id)
    reply.header('content-disposition', `attachment; filename="beneficiario-${id}.json"`)
    return new SerialisedJson(
      exportJson({
        by: readerText(user),
        at: now(),
        held,
        records: heldRecords(services, held),
        attachments: heldAttachments(services, held, {
          withFiles: {
            onLost: (anexo, err) => request.log.error({ err, anexo }, 'exported without a lost file'),
          },
        }),
        accesses,
      }),
    )
  })

  serve(app, dataProtectionApi.exportPdf, async ({ params: { id } }, { user, request, reply }) => {
    const held = await recordExport(id, { user, request }, 'pdf')
    const pdf = await exportPdf({
      by: readerText(user),
      at: now(),
      held,
      records: heldRecords(services, held),
      attachments: heldAttachments(services, held, { withFiles: false }),
      accesses: await exportAccesses(db, secrets, id),
    })
    reply.header('content-disposition', `attachment; filename="beneficiario-${id}.pdf"`)
    return pdf
  })

  serve(app, dataProtectionApi.accesses, ({ params: { id }, query }, { user, request, reply }) =>
    inTransaction(db, async (tx) => {
      await assertBeneficiary(tx, id)
      const page = await listAccesses(tx, secrets, id, pageOf(query))
      // Logging reads of the access log would add a row for each read, so only the audit trail
      // records them.
      await recordAccess(tx, {
        user,
        request,
        accesses: [],
        audit: { action: 'access-log.read', subject: subjectOf(id) },
      })
      return sendListHeaders(page, pageOf(query), { request, reply })
    }),
  )

  serve(app, dataProtectionApi.accessesCsv, async ({ params: { id } }, context) => {
    await assertBeneficiary(db, id)
    const { count, rows } = await exportAccesses(db, secrets, id)
    return answerCsv(services, context, {
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

  serve(app, dataProtectionApi.retention, ({ query }, { user, request, reply }) =>
    inTransaction(db, async (tx) => {
      const page = await listRetention(tx, { secrets, now: now() }, pageOf(query))
      await recordAccess(tx, {
        user,
        request,
        accesses: accessTo(
          'lido',
          page.rows.map(({ beneficiario }) => ({ id: beneficiario })),
        ),
        audit: { action: 'retention.read', subject: 'retencao' },
      })
      return sendListHeaders(page, pageOf(query), { request, reply })
    }),
  )

  serveIncidents(app, services)
}

const subjectOf = (id: number) => `beneficiario:${id}`

/** One access for the person, and one for each exported record and attachment. */
const exportedOf = ({ beneficiario, prontuarios, anexos }: HeldData): Access[] => {
  const exported = (objeto: 'prontuario' | 'anexo') => (idObjeto: number) => ({
    acao: 'exportado' as const,
    objeto,
    idObjeto,
    beneficiario: beneficiario.id,
  })
  return [
    ...accessTo('exportado', [beneficiario]),
    ...prontuarios.map(exported('prontuario')),
    ...anexos.map(exported('anexo')),
  ]
}

const assertBeneficiary = async (db: Db, id: number): Promise<void> => {
  const row = await db.selectFrom('beneficiario').select('id').where('id', '=', id).executeTakeFirst()
  if (!row) throw new Problem('nao_encontrado')
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
