import type { FastifyBaseLogger } from 'fastify'
import type { Services } from '../../platform/http/services.ts'
import { startRepeating } from '../../platform/jobs/repeat.ts'
import { runExclusively } from '../../platform/jobs/run-exclusively.ts'
import { announce } from './announcements.ts'

const minute = 60_000

/** Announces what begins later than it was written, and to people who join an audience. */
export const startAnnouncements = (
  { db, now }: Pick<Services, 'db' | 'now'>,
  log: Pick<FastifyBaseLogger, 'error'>,
) =>
  startRepeating({ name: 'announcements', everyMs: minute, log }, () =>
    runExclusively(db, 'announcements', (tx) => announce(tx, now())),
  )
