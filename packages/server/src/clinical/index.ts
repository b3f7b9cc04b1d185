export { type BeneficiaryData, newBeneficiaryValues } from './beneficiaries/beneficiaries.ts'
export {
  assertBlindIndexesMatch,
  rebuildBlindIndexes,
  upgradeBlindIndexes,
} from './beneficiaries/beneficiary-marks.ts'
export {
  type AccessSeal,
  digestOf,
  hasValidAccessMac,
  insertAccesses,
  numbersIn,
} from './health-data/access-rows.ts'
export { type AuthorAccount, councilRegistrationOf } from './health-data/author.ts'
export { encryptionContext, purposeContext } from './health-data/encryption-contexts.ts'
export { encryptContent } from './health-data/record-content.ts'
export { reserveIds } from './health-data/row-numbers.ts'
export { unreadableLog } from './health-data/unreadable.ts'
export { createPointApi } from './point-beneficiaries/point-api.ts'
export type { PointServices } from './point-beneficiaries/point-services.ts'
