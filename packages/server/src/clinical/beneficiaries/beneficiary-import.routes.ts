import { type BeneficiaryImport, beneficiariesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Write } from '../../platform/http/caller-transaction.ts'
import { previewOf, refuseFaults } from '../../platform/http/lists/import-lines.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { type CallContext, createRecordAccess } from '../health-data/record-access.ts'
import { findRegistered, insertBeneficiariesOfNewIds } from './beneficiaries.repository.ts'
import type { BeneficiaryData } from './beneficiaries.ts'
import { accessTo, REGISTRY_SUBJECT, recordLookUp } from './beneficiary-access.ts'
import { planIdsOf, validateLines } from './beneficiary-import.rules.ts'

/** Bytes. 1,000 lines of the longest texts in three-byte characters are about 1.5 MB. */
const bodyLimit = 2 * 1024 * 1024

export const serveBeneficiaryImport = (app: FastifyInstance, services: Services): void => {
  const { db, secrets, now } = services
  const recordAccess = createRecordAccess(services)

  const validate = async ({ linhas }: BeneficiaryImport) => {
    const registered = await findRegistered(db, secrets, planIdsOf(linhas))
    const validated = validateLines(linhas, new Set(registered.keys()), dayOf(now()))
    return { validated, known: [...registered.values()].map((id) => ({ id })) }
  }

  /** Inserts all or none. @returns how many, undefined for none */
  const insertAll = (
    people: readonly BeneficiaryData[],
    context: CallContext & { write: Write },
  ): Promise<number | undefined> =>
    orNone(
      context.write(async (tx) => {
        const created = await insertBeneficiariesOfNewIds(tx, secrets, people, {
          author: context.user,
          now: now(),
        })
        if (created.length < people.length) throw new TakenMeanwhile()
        await recordAccess(
          tx,
          context,
          accessTo(
            'registrado',
            created.map((id) => ({ id })),
          ),
          {
            action: 'beneficiary.imported',
            subject: REGISTRY_SUBJECT,
            details: { cadastrados: created.length },
          },
        )
        return created.length
      }),
    )

  serve(
    app,
    beneficiariesApi.previewImport,
    async ({ body }, context) => {
      const { validated, known } = await validate(body)
      await context.write((tx) => recordLookUp(recordAccess, tx, context, known))
      return previewOf(validated, ({ nome_beneficiario, id_beneficiario }) => ({
        nome_beneficiario,
        id_beneficiario,
      }))
    },
    { bodyLimit },
  )

  serve(
    app,
    beneficiariesApi.import,
    async ({ body }, context) => {
      const { validated, known } = await validate(body)
      if (known.length > 0) await context.write((tx) => recordLookUp(recordAccess, tx, context, known))
      refuseFaults(validated)
      const people = validated.flatMap(({ data }) => data ?? [])
      const created = await insertAll(people, context)
      if (created) return { cadastrados: created }
      // Some were registered in the meantime: the second check finds and reports them.
      const again = await validate(body)
      await context.write((tx) => recordLookUp(recordAccess, tx, context, again.known))
      refuseFaults(again.validated)
      throw new Error('Beneficiaries could neither be found nor inserted.')
    },
    { bodyLimit },
  )
}

/** Thrown to roll the transaction back. */
class TakenMeanwhile extends Error {}

const orNone = <T>(work: Promise<T>): Promise<T | undefined> =>
  work.catch((error: unknown) => {
    if (error instanceof TakenMeanwhile) return undefined
    throw error
  })
