import { type Beneficiary, beneficiariesApi, beneficiaryEntity } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { explainMissedUpdate } from '../../audit/record-change.ts'
import { findByPlanId, insertBeneficiary } from '../../clinical/beneficiaries.ts'
import {
  accessTo,
  type CallContext,
  REGISTRY_SUBJECT,
  recordLookUp,
} from '../../clinical/beneficiary-access.ts'
import { pageOf } from '../../clinical/first-page.ts'
import { createRecordAccess } from '../../clinical/record-access.ts'
import { assertReadable } from '../../clinical/sealed-json.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { dayOf } from '../../lib/local-day.ts'
import { Problem } from '../../lib/problem.ts'
import {
  findBeneficiary,
  listBeneficiaries,
  searchBeneficiaries,
  updateBeneficiary,
} from './beneficiaries.repository.ts'
import {
  assertBirthDate,
  changedFieldsOf,
  dataOf,
  knownIdProblem,
  withChanges,
} from './beneficiaries.rules.ts'
import { serveBeneficiaryImport } from './beneficiary-import.routes.ts'

export const beneficiariesRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  const noteRead = (tx: Db, { user, request }: CallContext, beneficiary: Beneficiary) =>
    recordAccess(tx, {
      user,
      request,
      accesses: accessTo('lido', [beneficiary]),
      audit: { action: 'beneficiary.read', subject: subjectOf(beneficiary) },
    })

  serve(app, beneficiariesApi.list, ({ query }, context) =>
    inTransaction(db, async (tx) => {
      const page = await listBeneficiaries(tx, secrets, pageOf(query))
      await recordAccess(tx, {
        ...context,
        accesses: accessTo('lido', page.rows),
        audit: { action: 'beneficiary.read', subject: REGISTRY_SUBJECT },
      })
      return sendListHeaders(page, pageOf(query), context)
    }),
  )

  serve(app, beneficiariesApi.get, ({ params: { id } }, context) =>
    inTransaction(db, async (tx) => {
      const found = await findBeneficiary(tx, secrets, id)
      if (!found) throw new Problem('nao_encontrado')
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
      await recordAccess(tx, {
        ...context,
        accesses: accessTo('registrado', [beneficiary]),
        audit: { action: 'beneficiary.created', subject: subjectOf(beneficiary) },
      })
      return beneficiary
    })
    if (!created) throw knownIdProblem()
    return created
  })

  serve(app, beneficiariesApi.update, async ({ params: { id }, body }, context) => {
    assertBirthDate(body, dayOf(now()))
    const updated = await context.write(async (tx) => {
      const ifMatch = ifMatchOf(context.request)
      await lockRow(tx, beneficiaryEntity, id)
      const before = await findBeneficiary(tx, secrets, id)
      if (!before || (ifMatch !== undefined && ifMatch !== before.versao)) {
        throw await explainMissedUpdate(tx, { exists: !!before, subject: `beneficiario:${id}`, ifMatch })
      }
      const wanted = withChanges(before, body)
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
      const after = await updateBeneficiary(tx, secrets, { wanted, author: context.user, now: now() })
      await recordAccess(tx, {
        ...context,
        accesses: accessTo('alterado', [after]),
        audit: {
          action: 'beneficiary.updated',
          subject: subjectOf(after),
          details: { versao: after.versao, campos },
        },
      })
      return after
    })
    if (!updated) throw knownIdProblem()
    return updated
  })

  serveBeneficiaryImport(app, services)
}

const subjectOf = ({ id }: Beneficiary) => `beneficiario:${id}`
