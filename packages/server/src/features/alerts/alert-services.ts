import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../http/services.ts'

/** What the work on alerts needs. */
export type AlertServices = Pick<
  Services,
  'config' | 'db' | 'secrets' | 'powerBi' | 'embedIssuer' | 'recordAudit' | 'now'
>
export type Log = Pick<FastifyBaseLogger, 'error' | 'warn'>
