import { alertEntity } from './alerts.ts'
import { announcementEntity } from './announcements.ts'
import { attachmentEntity } from './attachments.ts'
import { beneficiaryEntity } from './beneficiaries.ts'
import { capacityEntity } from './capacities.ts'
import { connectionEntity, responsibleEntity } from './connections.ts'
import { incidentEntity } from './data-protection.ts'
import type { Entity } from './entity.ts'
import { labelsOf } from './entity.ts'
import { guestEntity } from './guests.ts'
import { kioskEntity } from './kiosks.ts'
import { medicalRecordEntity } from './medical-records.ts'
import { pageEntity } from './pages.ts'
import { profileEntity } from './profiles.ts'
import { reportEntity } from './report-records.ts'
import { subscriptionEntity } from './subscriptions.ts'
import { userEntity } from './users.ts'
import { workspaceEntity } from './workspaces.ts'

export * from './alerts.ts'
export * from './announcements.ts'
export * from './attachments.ts'
export * from './beneficiaries.ts'
export * from './capacities.ts'
export * from './connections.ts'
export * from './data-protection.ts'
export * from './guests.ts'
export * from './kiosks.ts'
export * from './medical-records.ts'
export * from './pages.ts'
export * from './profiles.ts'
export * from './report-records.ts'
export * from './subscriptions.ts'
export * from './users.ts'
export * from './workspaces.ts'

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
