import { type AnnouncementDraft, announcementEntity, announcementsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { findAnnouncement, listAnnouncements, replaceProfiles, valuesOf } from './announcements.repository.ts'
import {
  announce,
  deleteReadings,
  findShown,
  refreshOpenWindows,
  storeReading,
  withdrawFromBell,
} from './announcements.ts'

interface Written {
  forma: AnnouncementDraft['forma']
  idUsuario: number
}

export const announcementsRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  /** The writer of an announcement of the bell has read it: the bell does not ring for them. */
  const storeOwnReading = async (tx: Db, id: number, { forma, idUsuario }: Written): Promise<void> => {
    if (forma === 'SINO') await storeReading(tx, { id, idUsuario, now: now() })
  }

  serveList(app, announcementsApi.list, (query) => listAnnouncements(db, query))

  serve(app, announcementsApi.get, async ({ params }) => orNotFound(await findAnnouncement(db, params.id)))

  serve(app, announcementsApi.create, ({ body }, { user: { idUsuario }, write }) =>
    write(async (tx, audit) => {
      const created = await insertEntity(tx, announcementEntity, valuesOf(body), async (_, id) => {
        await replaceProfiles(tx, id, body)
        await storeOwnReading(tx, id, { ...body, idUsuario })
        return findAnnouncement(tx, id)
      })
      await announce(tx, now())
      await audit('announcement.created', subjectOf(created.idAviso), { depois: trailOf(created) })
      return created
    }),
  )

  serve(app, announcementsApi.update, ({ params: { id }, body }, { request, user: { idUsuario }, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, announcementEntity, id, findAnnouncement, ifMatchOf(request))
      await replaceProfiles(tx, id, body)
      if (before.forma !== body.forma) await deleteReadings(tx, id)
      await storeOwnReading(tx, id, { ...body, idUsuario })
      const updated = await updateEntity(tx, announcementEntity, id, valuesOf(body), findAnnouncement)
      await withdrawFromBell(tx, id)
      // A banner may end, or leave for another audience, without beginning again.
      await refreshOpenWindows(tx, now())
      await announce(tx, now())
      await audit('announcement.updated', subjectOf(id), changeOf(trailOf(before), trailOf(updated)))
      return updated
    }),
  )

  serve(app, announcementsApi.remove, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, announcementEntity, id, findAnnouncement)
      await withdrawFromBell(tx, id)
      await deleteRow(tx, announcementEntity, id)
      await refreshOpenWindows(tx, now())
      await audit('announcement.deleted', subjectOf(id), { antes: trailOf(before) })
    }),
  )

  serve(app, announcementsApi.read, async ({ params: { id } }, { user: { idUsuario } }) =>
    orNotFound(await findShown(db, { id, idUsuario, now: now() })),
  )

  serve(app, announcementsApi.markRead, ({ params: { id } }, { user: { idUsuario }, write }) =>
    write(async (tx) => {
      const reader = { id, idUsuario, now: now() }
      orNotFound(await findShown(tx, reader))
      await storeReading(tx, reader)
    }),
  )
}

const subjectOf = (id: number) => `aviso:${id}`

/** The audit has no counts of readers: they change without an edit. */
const trailOf = <R extends { lidos: number; destinatarios: number }>({
  lidos: _,
  destinatarios: __,
  ...record
}: R) => record
