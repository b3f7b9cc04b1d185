import type { FastifyBaseLogger } from 'fastify'
import { runExclusively } from '../db/run-exclusively.ts'
import type { Services } from '../http/services.ts'
import { startRepeating } from '../lib/repeat.ts'
import { announce } from '../notifications/announcements.ts'

const minute = 60_000

/** Announces what begins later than it was written, and to people who join an audience. */
export const startAnnouncements = (
  { db, now }: Pick<Services, 'db' | 'now'>,
  log: Pick<FastifyBaseLogger, 'error'>,
) =>
  startRepeating(minute, () =>
    runExclusively(db, 'announcements', (tx) => announce(tx, now())).catch((err: unknown) =>
      log.error({ err }, 'the announcements failed'),
    ),
  )
