import { profileEntity } from './access/profiles.ts'
import { userEntity } from './accounts/users.ts'
import type { Entity } from './calls/entity.ts'
import { labelsOf } from './calls/entity.ts'
import { attachmentEntity } from './clinical/attachments.ts'
import { beneficiaryEntity } from './clinical/beneficiaries.ts'
import { incidentEntity } from './clinical/data-protection.ts'
import { medicalRecordEntity } from './clinical/medical-records.ts'
import { capacityEntity } from './connections/capacities.ts'
import { connectionEntity, responsibleEntity } from './connections/connections.ts'
import { alertEntity } from './distribution/alerts.ts'
import { announcementEntity } from './distribution/announcements.ts'
import { guestEntity } from './distribution/guests.ts'
import { kioskEntity } from './distribution/kiosks.ts'
import { subscriptionEntity } from './distribution/subscriptions.ts'
import { pageEntity } from './reports/pages.ts'
import { reportEntity } from './reports/report-registrations.ts'
import { workspaceEntity } from './reports/workspaces.ts'

export * from './access/profiles.ts'
export * from './accounts/users.ts'
export * from './clinical/attachments.ts'
export * from './clinical/beneficiaries.ts'
export * from './clinical/data-protection.ts'
export * from './clinical/medical-records.ts'
export * from './connections/capacities.ts'
export * from './connections/connections.ts'
export * from './distribution/alert-values.ts'
export * from './distribution/alerts.ts'
export * from './distribution/announcements.ts'
export * from './distribution/guests.ts'
export * from './distribution/kiosks.ts'
export * from './distribution/subscriptions.ts'
export * from './reports/pages.ts'
export * from './reports/report-registrations.ts'
export * from './reports/workspaces.ts'

/** Every kind of record, in the order of the administrators' menu. */
export const entities = [
  connectionEntity,
  capacityEntity,
  workspaceEntity,
  reportEntity,
  userEntity,
  profileEntity,
  responsibleEntity,
  pageEntity,
  guestEntity,
  kioskEntity,
  announcementEntity,
  subscriptionEntity,
  alertEntity,
  beneficiaryEntity,
  medicalRecordEntity,
  attachmentEntity,
  incidentEntity,
] as const

type AnyEntity = (typeof entities)[number]
export type EntityKind = AnyEntity['kind']

type KeyOf<T> = T extends unknown ? keyof T : never
export type EntityAction = KeyOf<AnyEntity['actions']>

/** Returns the entity of an audited object such as `workspace:12`. */
export const entityOf = (object: string): Entity | undefined =>
  entities.find(({ kind }) => kind === object.split(':')[0])

/** Labels of all fields, which are the same wherever a field of that name appears. */
export const fieldLabels: Record<string, string> = Object.assign(
  { segundoFatorDecidido: 'Regra do segundo fator decidida' },
  ...entities.map(labelsOf),
)
