import { type ContentField, contentFields, type MedicalRecordVersion } from '@bi-manager/contract'

export interface FieldChange {
  field: ContentField
  before: string
  after: string
}

export interface VersionChanges {
  version: MedicalRecordVersion
  /** Against the version before; undefined for the first one, which has none. */
  changes: FieldChange[] | undefined
}

/**
 * What each version changed. The last one is left out while the version before it is not there to
 * compare it with.
 * @param versions from the current one on; one that was shifted into the next page stands twice
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
