import { type ContentField, contentFields, type MedicalRecord } from '@bi-manager/contract'
import type { Sealed, Secrets } from '../../platform/config/secrets.ts'
import { contentContext } from './encryption-contexts.ts'
import { isPlaceholder, openJson, sealJson } from './sealed-json.ts'

export type RecordContent = Pick<MedicalRecord, ContentField>

/** The record and version that the content belongs to. */
type ContentOf = Parameters<typeof contentContext>[0]

/** @param draft only its content fields are used */
export const sealContent = (secrets: Secrets, draft: RecordContent, of: ContentOf): Sealed =>
  sealJson(
    secrets,
    Object.fromEntries(contentFields.map((field) => [field, draft[field]])),
    contentContext(of),
  )

export const openContent = (secrets: Secrets, conteudo: Sealed, of: ContentOf): RecordContent => {
  const content = openJson<RecordContent>(secrets, conteudo, contentContext(of))
  if (!isPlaceholder(content)) return content
  return Object.fromEntries(contentFields.map((field) => [field, content])) as RecordContent
}
