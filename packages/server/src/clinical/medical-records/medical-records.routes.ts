import {
  type AccessAction,
  type AuditAction,
  contentFields,
  isoDayOf,
  type MedicalRecord,
  medicalRecordEntity,
  medicalRecordsApi,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { explainMissedUpdate } from '../../platform/audit/record-change.ts'
import { readLetterhead } from '../../platform/brand/brand.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { lockRow } from '../../platform/db/transactions/lock-row.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import {
  findByPlanId,
  foldedId,
  insertBeneficiary,
  isKnown,
  recordLastEntry,
  searchName,
  UNKNOWN_PERSON,
} from '../beneficiaries/beneficiaries.ts'
import { accessTo, recordLookUp } from '../beneficiaries/beneficiary-access.ts'
import { readerText } from '../health-data/author.ts'
import { assertReadable } from '../health-data/encrypted-json.ts'
import { orFirstPage } from '../health-data/first-page.ts'
import { reasonOf } from '../health-data/purpose.ts'
import { accessOf, type CallContext, createRecordAccess } from '../health-data/record-access.ts'
import {
  archiveRecord,
  findRecord,
  insertRecord,
  listRecords,
  listVersions,
  type RecordQuery,
  replaceContent,
} from './medical-records.repository.ts'
import { recordPdf } from './record-pdf.ts'

export const medicalRecordsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  /** @throws Problem 404, also for an archived record */
  const getRecord = async (tx: Db, id: number): Promise<MedicalRecord> =>
    orNotFound(await findRecord(tx, secrets, id))

  /** Logs and audits an access to one record. */
  const note = (
    tx: Db,
    context: CallContext,
    acao: keyof typeof auditActionOf,
    record: MedicalRecord,
    details: Record<string, unknown> = { versao: record.versao },
  ) =>
    recordAccess(tx, context, [accessOf(acao, 'prontuario', record)], {
      action: auditActionOf[acao],
      subject: subjectOf(record.id),
      details,
    })

  /**
   * Audits a refused change: of a record that does not exist, or with another plan id. The transaction
   * must commit, although the call is refused.
   */
  const noteRefusal = (
    tx: Db,
    context: CallContext,
    { id, codigo, record }: { id: number; codigo: string; record?: MedicalRecord },
  ) =>
    recordAccess(tx, context, record ? [accessOf('buscado', 'prontuario', record)] : [], {
      action: 'access.refused',
      subject: subjectOf(id),
      details: { codigo },
    })

  serve(app, medicalRecordsApi.list, ({ query }, context) => {
    assertPeriod(query)
    return inTransaction(db, async (tx) => {
      const page = await listRecords(tx, secrets, orFirstPage(query))
      await recordAccess(
        tx,
        context,
        page.rows.map((record) => accessOf('lido', 'prontuario', record)),
        { action: 'record.read', subject: 'prontuarios', details: filterOf(query) },
      )
      return answerList(page, orFirstPage(query), context)
    })
  })

  serve(app, medicalRecordsApi.get, ({ params: { id } }, context) =>
    inTransaction(db, async (tx) => {
      const record = await getRecord(tx, id)
      await note(tx, context, 'lido', record)
      return record
    }),
  )

  /**
   * Returns the beneficiary with this plan id, and registers an unknown one.
   * @returns 'other name' when the id belongs to another name, 'unreadable' when its owner's data cannot
   * be decrypted; the look-up of both is logged when the transaction commits
   */
  const beneficiaryOf = async (
    tx: Db,
    context: CallContext,
    { nome_beneficiario, id_beneficiario }: Pick<MedicalRecord, 'nome_beneficiario' | 'id_beneficiario'>,
  ): Promise<number | 'other name' | 'unreadable'> => {
    const person = { ...notGiven, nome_beneficiario, id_beneficiario }
    const known = await findByPlanId(tx, secrets, id_beneficiario)
    const registered = known
      ? undefined
      : await insertBeneficiary(tx, secrets, person, { author: context.user, now: now() })
    if (registered) {
      await recordAccess(tx, context, accessTo('registrado', [registered]), {
        action: 'beneficiary.created',
        subject: `beneficiario:${registered.id}`,
      })
      return registered.id
    }
    // A concurrent request registered the same person.
    const owner = known ?? (await findByPlanId(tx, secrets, id_beneficiario))
    if (!owner) throw new Error('A beneficiary could neither be found nor inserted.')
    if (isKnown(owner) && searchName(owner.nome_beneficiario) === searchName(nome_beneficiario))
      return owner.id
    await recordLookUp(recordAccess, tx, context, [owner])
    return isKnown(owner) ? 'other name' : 'unreadable'
  }

  serve(app, medicalRecordsApi.create, async ({ body }, context) => {
    assertReadable(body)
    const created = await context.write(async (tx) => {
      const beneficiario = await beneficiaryOf(tx, context, body)
      if (typeof beneficiario === 'string') return beneficiario
      await recordLastEntry(tx, beneficiario, dayOf(now()))
      const id = await insertRecord(tx, secrets, {
        beneficiario,
        draft: body,
        author: context.user,
        now: now(),
      })
      const record = await getRecord(tx, id)
      await note(tx, context, 'registrado', record)
      return record
    })
    if (typeof created === 'object') return created
    const campos: Record<string, string> =
      created === 'unreadable'
        ? { id_beneficiario: UNKNOWN_PERSON }
        : { nome_beneficiario: 'Este ID já é de outro beneficiário. Confira o nome.' }
    throw new Problem('campos_invalidos', { campos })
  })

  serve(app, medicalRecordsApi.update, async ({ params: { id }, body }, context) => {
    const saved = await context.write(async (tx) => {
      const ifMatch = ifMatchOf(context.request)
      await lockRow(tx, medicalRecordEntity, id)
      const before = await findRecord(tx, secrets, id)
      if (!before) {
        await noteRefusal(tx, context, { id, codigo: 'nao_encontrado' })
        return 'none'
      }
      if (ifMatch !== undefined && ifMatch !== before.versao) {
        throw await explainMissedUpdate(tx, { exists: true, subject: subjectOf(id), ifMatch })
      }
      if (
        body.id_beneficiario !== undefined &&
        foldedId(body.id_beneficiario) !== foldedId(before.id_beneficiario)
      ) {
        // The refusal reveals that the record belongs to another person, so it is logged.
        await noteRefusal(tx, context, { id, codigo: 'campos_invalidos', record: before })
        return 'of another'
      }
      const campos = contentFields.filter((field) => body[field] !== before[field])
      if (campos.length === 0) {
        await note(tx, context, 'lido', before)
        return before
      }
      assertReadable(body)
      await replaceContent(tx, secrets, before, { content: body, author: context.user, now: now() })
      await recordLastEntry(tx, before.beneficiario, dayOf(now()))
      const record = await getRecord(tx, id)
      await note(tx, context, 'alterado', record, { versao: record.versao, campos })
      return record
    })
    if (saved === 'none') throw new Problem('nao_encontrado')
    if (saved === 'of another') {
      const campos = {
        id_beneficiario: 'O beneficiário de um prontuário não muda. Arquive este e registre outro.',
      }
      throw new Problem('campos_invalidos', { campos })
    }
    return saved
  })

  serve(app, medicalRecordsApi.archive, ({ params: { id } }, context) =>
    context.write(async (tx) => {
      const reason = reasonOf(context.request)
      await lockRow(tx, medicalRecordEntity, id)
      const record = await getRecord(tx, id)
      await archiveRecord(tx, secrets, record, { reason, author: context.user, now: now() })
      await note(tx, context, 'arquivado', record)
    }),
  )

  serve(app, medicalRecordsApi.versions, ({ params: { id }, query }, context) =>
    inTransaction(db, async (tx) => {
      const record = await getRecord(tx, id)
      const page = await listVersions(tx, secrets, { record, query: orFirstPage(query) })
      await note(tx, context, 'lido', record, { versao: record.versao, versoes: page.rows.length })
      return answerList(page, orFirstPage(query), context)
    }),
  )

  serve(app, medicalRecordsApi.pdf, async ({ params: { id } }, context) => {
    const record = await inTransaction(db, async (tx) => {
      const found = await getRecord(tx, id)
      await note(tx, context, 'exportado', found)
      return found
    })
    const pdf = await recordPdf(record, {
      by: readerText(context.user),
      at: now(),
      letterhead: await readLetterhead(db),
    })
    context.reply.header('content-disposition', `attachment; filename="prontuario-${id}.pdf"`)
    return pdf
  })

  serve(app, medicalRecordsApi.recordPrint, ({ params: { id } }, context) =>
    context.write(async (tx) => {
      const record = await getRecord(tx, id)
      await note(tx, context, 'impresso', record)
    }),
  )
}

const auditActionOf = {
  registrado: 'record.created',
  lido: 'record.read',
  alterado: 'record.updated',
  arquivado: 'record.archived',
  impresso: 'record.printed',
  exportado: 'record.exported',
} as const satisfies Partial<Record<AccessAction, AuditAction>>

/** What a record does not say of a person who is registered with it. */
const notGiven = { data_nascimento: null, sexo: null, plano: null, operadora: null }

const subjectOf = (id: number) => `prontuario:${id}`

/** Returns the filters for the audit, so that a search without results is audited too. */
const filterOf = ({ de, ate, beneficiario }: RecordQuery) => ({
  ...(de === undefined ? {} : { de }),
  ...(ate === undefined ? {} : { ate }),
  ...(beneficiario === undefined ? {} : { beneficiario: [beneficiario] }),
})

const assertPeriod = ({ de, ate }: RecordQuery): void => {
  if (de === undefined || ate === undefined) return
  if ((isoDayOf(ate) ?? '') >= (isoDayOf(de) ?? '')) return
  throw new Problem('campos_invalidos', {
    campos: { ate: 'A data final não pode ser anterior à inicial.' },
  })
}
