import { type AuditAction, profileEntity, profilesApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { assertReports, assertWorkspace, diffIds } from '../../access/report-set.ts'
import { changeOf, explainMissedUpdate } from '../../audit/record-change.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import type { Write } from '../../http/caller-transaction.ts'
import { assertSameSet, ifMatchOf, setEtagOfIds } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
import { notifyGranted } from '../../notifications/notify-granted.ts'
import {
  changeMembers,
  changeProfileReports,
  deleteProfile,
  findProfile,
  insertProfile,
  listMembers,
  listProfileChoices,
  listProfileReports,
  listProfiles,
  memberIds,
  profileReportIds,
  renameProfile,
} from './profiles.repository.ts'

export const profilesRoutes = async (app: FastifyInstance, { db, recordAudit, now }: Services) => {
  /**
   * Runs `work` in a transaction with an audit line about the profile; without `details` no line is
   * written.
   */
  const changing = <T>(
    { user, request, write }: { user: Caller; request: FastifyRequest; write: Write },
    action: AuditAction,
    work: (tx: Db) => Promise<{ answer: T; id: number; details: Record<string, unknown> | undefined }>,
  ): Promise<T> =>
    write(async (tx) => {
      const { answer, id, details } = await work(tx)
      const { idUsuario } = user
      if (details) {
        await recordAudit(tx, {
          action,
          idUsuario,
          subject: subjectOf(id),
          details,
          request,
        })
      }
      return answer
    })

  serve(app, profilesApi.list, async ({ query }, context) =>
    sendListHeaders(await listProfiles(db, query), query, context),
  )

  serve(app, profilesApi.get, ({ params }) => getProfile(db, params.id))

  serve(app, profilesApi.create, ({ body }, who) =>
    changing(who, 'profile.created', async (tx) => {
      const answer = await insertProfile(tx, body.nomePerfil)
      return { answer, id: answer.idPerfil, details: { depois: answer } }
    }),
  )

  serve(app, profilesApi.update, ({ params: { id }, body }, who) =>
    changing(who, 'profile.updated', async (tx) => {
      const ifMatch = ifMatchOf(who.request)
      await lockRow(tx, profileEntity, id)
      const before = await findProfile(tx, id)
      const answer = before && (await renameProfile(tx, id, body.nomePerfil, ifMatch))
      if (!answer) throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      return { answer, id, details: changeOf(before, answer) }
    }),
  )

  serve(app, profilesApi.remove, async ({ params: { id } }, who) => {
    await changing(who, 'profile.deleted', async (tx) => {
      await lockRow(tx, profileEntity, id)
      const before = await findProfile(tx, id)
      if (!before || !(await deleteProfile(tx, id))) throw new Problem('nao_encontrado')
      return { answer: undefined, id, details: { antes: before } }
    })
  })

  serve(app, profilesApi.listReports, async ({ params: { id } }, { reply }) => {
    await getProfile(db, id)
    const reports = await listProfileReports(db, id)
    setEtagOfIds(reply, idsOf(reports))
    return reports
  })

  serve(app, profilesApi.listOfGroup, async ({ params: { id, idGrupoRelatorio } }, { reply }) => {
    await getProfile(db, id)
    await assertWorkspace(db, idGrupoRelatorio)
    const choices = await listProfileChoices(db, id, idGrupoRelatorio)
    setEtagOfIds(reply, idsOf(choices.filter(({ isChecked }) => isChecked)))
    return choices
  })

  serve(app, profilesApi.replaceReports, ({ params: { id }, body }, { user, request, reply, write }) =>
    changing({ user, request, write }, 'profile.reports-changed', async (tx) => {
      if (!(await lockRow(tx, profileEntity, id))) throw new Problem('nao_encontrado')
      const { idGrupoRelatorio, idRelatorios } = body
      await assertReports(tx, idRelatorios, idGrupoRelatorio)
      const current = await profileReportIds(tx, id, idGrupoRelatorio)
      assertSameSet(request, current)
      const change = diffIds(current, idRelatorios)
      await changeProfileReports(tx, id, change)
      if (change.added.length > 0) {
        await notifyGranted(tx, { people: await memberIds(tx, id), reports: change.added }, now())
      }
      const hasChanged = change.added.length + change.removed.length > 0
      setEtagOfIds(reply, idRelatorios)
      return {
        answer: await listProfileReports(tx, id),
        id,
        details: hasChanged ? { incluidos: change.added, retirados: change.removed } : undefined,
      }
    }),
  )

  serve(app, profilesApi.listMembers, async ({ params: { id }, query }, context) => {
    await getProfile(db, id)
    return sendListHeaders(await listMembers(db, id, query), query, context)
  })

  serve(app, profilesApi.changeMembers, ({ params: { id }, body }, who) =>
    changing(who, 'profile.members-changed', async (tx) => {
      if (!(await lockRow(tx, profileEntity, id))) throw new Problem('nao_encontrado')
      const { joined, left } = await changeMembers(tx, id, body)
      if (joined.length > 0) {
        const reports = await profileReportIds(tx, id, undefined)
        await notifyGranted(tx, { people: joined, reports }, now())
      }
      const hasChanged = joined.length + left.length > 0
      return {
        answer: await getProfile(tx, id),
        id,
        details: hasChanged ? { entraram: joined, sairam: left } : undefined,
      }
    }),
  )
}

const idsOf = (reports: { idRelatorio: number }[]) => reports.map(({ idRelatorio }) => idRelatorio)

const subjectOf = (id: number) => `perfil:${id}`

const getProfile = async (db: Db, id: number) => {
  const profile = await findProfile(db, id)
  if (!profile) throw new Problem('nao_encontrado')
  return profile
}
