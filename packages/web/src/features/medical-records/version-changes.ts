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

/** @param versions from the current one to the first */
export const changesOf = (versions: MedicalRecordVersion[]): VersionChanges[] =>
  versions.map((version, at) => {
    const before = versions[at + 1]
    return {
      version,
      changes:
        before &&
        contentFields
          .filter((field) => version[field] !== before[field])
          .map((field) => ({ field, before: before[field], after: version[field] })),
    }
  })
