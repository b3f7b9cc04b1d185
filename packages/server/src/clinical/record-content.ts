import { type ContentField, contentFields, type MedicalRecord } from '@bi-manager/contract'
import type { Sealed, Secrets } from '../secrets.ts'
import { LOST, openJson, sealJson } from './sealed-json.ts'

export type RecordContent = Pick<MedicalRecord, ContentField>

/** @param draft of which nothing but the content's own fields is taken */
export const sealContent = (secrets: Secrets, draft: RecordContent): Sealed =>
  sealJson(secrets, Object.fromEntries(contentFields.map((field) => [field, draft[field]])))

export const openContent = (secrets: Secrets, conteudo: Sealed): RecordContent =>
  openJson<RecordContent>(secrets, conteudo) ?? {
    especialidade: LOST,
    risco_custo: LOST,
    risco_doenca: LOST,
    descricao_hd: LOST,
    prescricao_beneficiario: LOST,
  }
