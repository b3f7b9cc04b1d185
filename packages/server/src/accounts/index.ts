export { notifyExpiringKeys } from './api-keys/expiring-keys.ts'
export { createKeyCallerFinder, createKeyUseWriter } from './api-keys/key-callers.ts'
export {
  bookAttempt,
  isWithinLimits,
  mailboxOf,
  windowSeconds,
  withAttempt,
} from './credentials/attempt-limits.ts'
export { hashPassword, isPassword } from './credentials/passwords.ts'
export { fillSkeletons } from './names/fill-skeletons.ts'
export { nameColumns } from './names/names-in-use.ts'
export { createCallerFinder } from './sessions/callers.repository.ts'
export { createFirstAdmin } from './users/first-admin.ts'
export { joinProfiles } from './users/join-profiles.ts'
export { changesRows, type RowSource, rowsOfScreen, undecided } from './users/row-source.ts'
