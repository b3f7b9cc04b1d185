import { type ContentField, contentFields, type MedicalRecord } from '@bi-manager/contract'
import type { Sealed, Secrets } from '../secrets.ts'
import { contentPlace } from './places.ts'
import { isInstead, openJson, sealJson } from './sealed-json.ts'

export type RecordContent = Pick<MedicalRecord, ContentField>

/** Which version of which record, and whose. */
type ContentOf = Parameters<typeof contentPlace>[0]

/** @param draft of which nothing but the content's own fields is taken */
export const sealContent = (secrets: Secrets, draft: RecordContent, of: ContentOf): Sealed =>
  sealJson(secrets, Object.fromEntries(contentFields.map((field) => [field, draft[field]])), contentPlace(of))

export const openContent = (secrets: Secrets, conteudo: Sealed, of: ContentOf): RecordContent => {
  const content = openJson<RecordContent>(secrets, conteudo, contentPlace(of))
  if (!isInstead(content)) return content
  return {
    especialidade: content,
    risco_custo: content,
    risco_doenca: content,
    descricao_hd: content,
    prescricao_beneficiario: content,
  }
}
