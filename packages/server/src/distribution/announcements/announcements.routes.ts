import { announcementEntity, announcementsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import { deleteRow } from '../../platform/db/lock-row.ts'
import { insertEntity, updateEntity } from '../../platform/db/records.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { orNotFound } from '../../platform/lib/problem.ts'
import { findAnnouncement, listAnnouncements, replaceProfiles, valuesOf } from './announcements.repository.ts'
import { announce, findShown, refreshOpenWindows, storeReading, withdrawFromBell } from './announcements.ts'

export const announcementsRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  serveList(app, announcementsApi.list, (query) => listAnnouncements(db, query))

  serve(app, announcementsApi.get, async ({ params }) => orNotFound(await findAnnouncement(db, params.id)))

  serve(app, announcementsApi.create, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const created = await insertEntity(tx, announcementEntity, valuesOf(body), async (_, id) => {
        await replaceProfiles(tx, id, body)
        return findAnnouncement(tx, id)
      })
      await announce(tx, now())
      await audit('announcement.created', subjectOf(created.idAviso), { depois: trailOf(created) })
      return created
    }),
  )

  serve(app, announcementsApi.update, ({ params: { id }, body }, { request, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, announcementEntity, id, findAnnouncement, ifMatchOf(request))
      await replaceProfiles(tx, id, body)
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
