import { randomUUID } from 'node:crypto'
import type { MedicalRecordDraft, MedicalRecordUpdate } from '@bi-manager/contract'
import type { Author } from '../../src/clinical/health-data/author.ts'
import { insertRecord } from '../../src/clinical/medical-records/medical-records.repository.ts'
import type { TestApp } from '../test-app.ts'
import { createBeneficiary } from './beneficiaries.ts'

/** A complete body of PUT /prontuarios/:id; `fields` overrides it. */
export const contentDraft = (fields: Partial<MedicalRecordUpdate> = {}): MedicalRecordUpdate => ({
  especialidade: 'Cardiologia',
  risco_custo: 'Alto custo de exames',
  risco_doenca: 'Risco de infecção hospitalar',
  descricao_hd: 'Dispneia aos esforços',
  prescricao_beneficiario: 'Repouso',
  ...fields,
})

/** A complete body of POST /prontuarios, of a fictitious person; `fields` overrides it. */
export const recordDraft = (fields: Partial<MedicalRecordDraft> = {}): MedicalRecordDraft => ({
  ...contentDraft(),
  nome_beneficiario: 'Fulana Exemplo',
  id_beneficiario: randomUUID(),
  ...fields,
})

/** Inserts a record, of a new beneficiary unless one is given. */
export const createEntity = async (
  app: Pick<TestApp, 'db' | 'services'>,
  author: Author,
  { now = new Date(), ...fields }: Partial<MedicalRecordDraft> & { now?: Date; beneficiario?: number } = {},
): Promise<{ id: number; beneficiario: number }> => {
  const beneficiario = fields.beneficiario ?? (await createBeneficiary(app)).id
  const draft = recordDraft(fields)
  const id = await insertRecord(app.db, app.services.secrets, { beneficiario, draft, author, now })
  return { id, beneficiario }
}
