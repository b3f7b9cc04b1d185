import type { FastifyBaseLogger } from 'fastify'
import type { ConnectionServices } from '../../connections/index.ts'

/** What the work on alerts needs. */
export type AlertServices = Pick<
  ConnectionServices,
  'config' | 'db' | 'secrets' | 'powerBi' | 'embedIssuer' | 'writeAudit' | 'now'
>
export type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>
