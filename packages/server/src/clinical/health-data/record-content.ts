import { type ContentField, contentFields, type MedicalRecord } from '@bi-manager/contract'
import type { Encrypted, Secrets } from '../../platform/config/secrets.ts'
import { decryptJson, encryptJson, isPlaceholder } from './encrypted-json.ts'
import { contentContext } from './encryption-contexts.ts'

export type RecordContent = Pick<MedicalRecord, ContentField>

/** The record and version that the content belongs to. */
type ContentOf = Parameters<typeof contentContext>[0]

/** @param draft only its content fields are used */
export const encryptContent = (secrets: Secrets, draft: RecordContent, of: ContentOf): Encrypted =>
  encryptJson(
    secrets,
    Object.fromEntries(contentFields.map((field) => [field, draft[field]])),
    contentContext(of),
  )

export const decryptContent = (secrets: Secrets, conteudo: Encrypted, of: ContentOf): RecordContent => {
  const content = decryptJson<RecordContent>(secrets, conteudo, contentContext(of))
  if (!isPlaceholder(content)) return content
  return Object.fromEntries(contentFields.map((field) => [field, content])) as RecordContent
}
