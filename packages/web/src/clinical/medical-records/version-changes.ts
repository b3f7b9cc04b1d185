import { type ContentField, contentFields, type MedicalRecordVersion } from '@bi-manager/contract'

export interface FieldChange {
  field: ContentField
  before: string
  after: string
}

export interface VersionChanges {
  version: MedicalRecordVersion
  /** Changes from the previous version; undefined for the first version. */
  changes: FieldChange[] | undefined
}

/**
 * Returns the changes of each version. Omits the last one while its predecessor is not loaded.
 * @param versions newest first; a version shifted into the next page may appear twice
 */
export const changesOf = (versions: MedicalRecordVersion[]): VersionChanges[] => {
  const unique = [...new Map(versions.map((version) => [version.versao, version])).values()]
  return unique
    .map((version, at) => ({ version, changes: changesBetween(unique[at + 1], version) }))
    .filter(({ version, changes }) => changes || version.versao === 1)
}

const changesBetween = (
  before: MedicalRecordVersion | undefined,
  version: MedicalRecordVersion,
): FieldChange[] | undefined =>
  before &&
  contentFields
    .filter((field) => version[field] !== before[field])
    .map((field) => ({ field, before: before[field], after: version[field] }))
