import { type Beneficiary, beneficiariesApi, beneficiaryEntity } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { defined } from '../../platform/lib/defined.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { assertReadable } from '../health-data/encrypted-json.ts'
import { orFirstPage } from '../health-data/first-page.ts'
import { type CallContext, createRecordAccess } from '../health-data/record-access.ts'
import { listBeneficiaries, searchBeneficiaries } from './beneficiaries.repository.ts'
import { assertBirthDate, changedFieldsOf, dataOf, knownIdProblem } from './beneficiaries.rules.ts'
import { findBeneficiary, findByPlanId, insertBeneficiary } from './beneficiaries.ts'
import { accessTo, REGISTRY_SUBJECT, recordLookUp } from './beneficiary-access.ts'
import { serveBeneficiaryImport } from './beneficiary-import.routes.ts'
import { replaceData } from './beneficiary-versions.ts'

export const beneficiariesRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  const noteRead = (tx: Db, context: CallContext, beneficiary: Beneficiary) =>
    recordAccess(tx, context, accessTo('lido', [beneficiary]), {
      action: 'beneficiary.read',
      subject: subjectOf(beneficiary),
    })

  serve(app, beneficiariesApi.list, ({ query }, context) =>
    inTransaction(db, async (tx) => {
      const page = await listBeneficiaries(tx, secrets, orFirstPage(query))
      await recordAccess(tx, context, accessTo('lido', page.rows), {
        action: 'beneficiary.read',
        subject: REGISTRY_SUBJECT,
      })
      return answerList(page, orFirstPage(query), context)
    }),
  )

  serve(app, beneficiariesApi.get, ({ params: { id } }, context) =>
    inTransaction(db, async (tx) => {
      const found = orNotFound(await findBeneficiary(tx, secrets, id))
      await noteRead(tx, context, found)
      return found
    }),
  )

  serve(app, beneficiariesApi.search, ({ body: { texto } }, context) =>
    context.write(async (tx) => {
      const found = await searchBeneficiaries(tx, secrets, texto)
      await recordLookUp(recordAccess, tx, context, found)
      return found
    }),
  )

  serve(app, beneficiariesApi.create, async ({ body }, context) => {
    assertBirthDate(body, dayOf(now()))
    assertReadable(body)
    const created = await context.write(async (tx) => {
      const beneficiary = await insertBeneficiary(tx, secrets, dataOf(body), {
        author: context.user,
        now: now(),
      })
      if (!beneficiary) {
        const owner = await findByPlanId(tx, secrets, body.id_beneficiario)
        await recordLookUp(recordAccess, tx, context, owner ? [owner] : [])
        return undefined
      }
      await recordAccess(tx, context, accessTo('registrado', [beneficiary]), {
        action: 'beneficiary.created',
        subject: subjectOf(beneficiary),
      })
      return beneficiary
    })
    if (!created) throw knownIdProblem()
    return created
  })

  serve(app, beneficiariesApi.update, async ({ params: { id }, body }, context) => {
    assertBirthDate(body, dayOf(now()))
    const updated = await context.write(async (tx) => {
      const find = (db: Db) => findBeneficiary(db, secrets, id)
      const before = await lockEntity(tx, beneficiaryEntity, id, find, ifMatchOf(context.request))
      const wanted: Beneficiary = { ...before, ...defined(body) }
      const owner = await findByPlanId(tx, secrets, wanted.id_beneficiario)
      if (owner && owner.id !== id) {
        await recordLookUp(recordAccess, tx, context, [owner])
        return undefined
      }
      const campos = changedFieldsOf(before, wanted)
      if (campos.length === 0) {
        await noteRead(tx, context, before)
        return before
      }
      assertReadable(wanted)
      await replaceData(tx, secrets, wanted, { author: context.user, now: now() })
      const after = { ...wanted, versao: wanted.versao + 1 }
      await recordAccess(tx, context, accessTo('alterado', [after]), {
        action: 'beneficiary.updated',
        subject: subjectOf(after),
        details: { versao: after.versao, campos },
      })
      return after
    })
    if (!updated) throw knownIdProblem()
    return updated
  })

  serveBeneficiaryImport(app, services)
}

const subjectOf = ({ id }: Beneficiary) => `beneficiario:${id}`
