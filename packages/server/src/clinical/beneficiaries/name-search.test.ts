import { beforeEach, expect, test } from 'vitest'
import { createBeneficiary } from '../../../test/clinical/beneficiaries.ts'
import type { TestApp } from '../../../test/test-app.ts'
import { useTestApp } from '../../../test/use-test-app.ts'
import { createUser } from '../../../test/users.ts'
import { fillNameSearch } from './beneficiary-marks.ts'

/* Rows of the previous version have no digest of `texto_busca`'s fold, or that of an earlier name. */

const app = useTestApp()
let clinician: Awaited<ReturnType<TestApp['as']>>
beforeEach(async () => {
  clinician = await app.as(await createUser(app, { acessoProntuario: true }))
})

const foundFor = async (texto: string): Promise<string[]> => {
  const { status, body } = await clinician.post('/beneficiarios/busca', { texto })
  expect(status).toBe(200)
  return body.map(({ nome_beneficiario }: { nome_beneficiario: string }) => nome_beneficiario)
}

const fill = () => fillNameSearch(app.db, app.services.secrets)

test('the search finds the names that the previous version registered, once each', async () => {
  await createBeneficiary(app, { nome_beneficiario: 'Ana D’Ávila' })
  await createBeneficiary(app, { nome_beneficiario: 'Ana Souza' })
  await app.db.updateTable('beneficiario').set({ marcaBusca: null, versaoBusca: null }).execute()
  expect(await foundFor('ana souza')).toEqual(['Ana Souza'])
  expect(await foundFor("ana d'avila")).toEqual([])
  expect(await fill()).toBe(2)
  expect(await foundFor("ana d'avila")).toEqual(['Ana D’Ávila'])
  expect(await fill()).toBe(0)
})

test('the search finds a name that the previous version edited, and no longer the earlier one', async () => {
  const { id } = await createBeneficiary(app, { nome_beneficiario: 'Ana Souza' })
  const ofEarlierName = await app.db
    .selectFrom('beneficiario')
    .select(['marcaBusca', 'versaoBusca'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await clinician.put(`/beneficiarios/${id}`, { nome_beneficiario: 'Ana D’Ávila' })
  await app.db.updateTable('beneficiario').set(ofEarlierName).where('id', '=', id).execute()
  expect(await foundFor('ana souza')).toEqual([])
  expect(await foundFor('ana d’ávila')).toEqual(['Ana D’Ávila'])
  expect(await fill()).toBe(1)
  expect(await foundFor('ana davila')).toEqual(['Ana D’Ávila'])
})
