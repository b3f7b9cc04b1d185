import { profileEntity, profilesApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import { assertSameSet, ifMatchOf, setEtagOfSet } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { assertDayToCome } from '../../platform/lib/day-to-come.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { notifyGranted } from '../grants/notify-granted.ts'
import {
  assertReports,
  assertWorkspace,
  changeReports,
  listChoices,
  reportIdsOf,
} from '../grants/report-set.ts'
import {
  changeMembers,
  changeTerms,
  checkEmails,
  findProfile,
  findTerms,
  listCandidates,
  listMembers,
  listProfileReports,
  listProfiles,
  memberIds,
} from './profiles.repository.ts'

export const profilesRoutes = async (app: FastifyInstance, { db, now }: Services) => {
  serveList(app, profilesApi.list, (query) => listProfiles(db, query))

  serve(app, profilesApi.get, ({ params }) => getProfile(db, params.id))

  serve(app, profilesApi.create, ({ body }, { write }) =>
    write(async (tx, audit) => {
      const profile = await insertEntity(tx, profileEntity, body, findProfile)
      await audit('profile.created', subjectOf(profile.idPerfil), { depois: profile })
      return profile
    }),
  )

  serve(app, profilesApi.update, ({ params: { id }, body }, { request, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, profileEntity, id, findProfile, ifMatchOf(request))
      const profile = await updateEntity(tx, profileEntity, id, body, findProfile)
      await audit('profile.updated', subjectOf(id), changeOf(before, profile))
      return profile
    }),
  )

  serve(app, profilesApi.remove, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, profileEntity, id, findProfile)
      await deleteRow(tx, profileEntity, id)
      await audit('profile.deleted', subjectOf(id), { antes: before })
    }),
  )

  serve(app, profilesApi.listReports, async ({ params: { id } }, { reply }) => {
    await getProfile(db, id)
    const reports = await listProfileReports(db, id)
    setEtagOfSet(reply, idsOf(reports))
    return reports
  })

  serve(app, profilesApi.listOfGroup, async ({ params: { id, idGrupoRelatorio } }, { reply }) => {
    await getProfile(db, id)
    await assertWorkspace(db, idGrupoRelatorio)
    const choices = await listChoices(db, profileEntity, id, idGrupoRelatorio)
    setEtagOfSet(reply, idsOf(choices.filter(({ isChecked }) => isChecked)))
    return choices
  })

  serve(app, profilesApi.replaceReports, ({ params: { id }, body }, { request, reply, write }) =>
    write(async (tx, audit) => {
      await lockEntity(tx, profileEntity, id, findProfile)
      const { idGrupoRelatorio, idRelatorios } = body
      await assertReports(tx, idRelatorios, idGrupoRelatorio)
      const current = await reportIdsOf(tx, profileEntity, id, idGrupoRelatorio)
      assertSameSet(request, current)
      const { added, removed } = await changeReports(tx, profileEntity, id, { current, wanted: idRelatorios })
      if (added.length > 0)
        await notifyGranted(tx, { people: await memberIds(tx, id), reports: added }, now())
      if (added.length + removed.length > 0) {
        await audit('profile.reports-changed', subjectOf(id), { incluidos: added, retirados: removed })
      }
      setEtagOfSet(reply, idRelatorios)
      return listProfileReports(tx, id)
    }),
  )

  serve(app, profilesApi.listMembers, async ({ params: { id }, query }, context) => {
    await getProfile(db, id)
    return answerList(await listMembers(db, id, query), query, context)
  })

  serve(app, profilesApi.listCandidates, async ({ params: { id }, query }, context) => {
    await getProfile(db, id)
    return answerList(await listCandidates(db, id, query), query, context)
  })

  serve(app, profilesApi.checkEmails, async ({ params: { id }, body }) => {
    await getProfile(db, id)
    return checkEmails(db, id, body.emails)
  })

  serve(app, profilesApi.changeMembers, ({ params: { id }, body }, { write }) => {
    const { adicionar, remover, prazos } = body
    if (adicionar.some((person) => remover.includes(person))) {
      throw new Problem('campos_invalidos', { campos: { remover: 'Uma pessoa está nas duas listas.' } })
    }
    return write(async (tx, audit) => {
      await lockEntity(tx, profileEntity, id, findProfile)
      const { joined, left } = await changeMembers(tx, id, { adicionar, remover })
      const people = prazos.map(({ idUsuario }) => idUsuario)
      const known = await findTerms(tx, id, people)
      if (people.some((person) => !known.has(person))) {
        throw new Problem('campos_invalidos', {
          campos: { prazos: 'Um dos prazos é de uma pessoa que não participa deste perfil.' },
        })
      }
      for (const { idUsuario, validoAte } of prazos) {
        assertDayToCome(validoAte, { before: known.get(idUsuario), today: dayOf(now()) })
      }
      const terms = await changeTerms(tx, id, prazos)
      if (joined.length > 0) {
        const reports = await reportIdsOf(tx, profileEntity, id)
        await notifyGranted(tx, { people: joined, reports }, now())
      }
      if (joined.length + left.length + terms.length > 0) {
        await audit('profile.members-changed', subjectOf(id), {
          entraram: joined,
          sairam: left,
          ...(terms.length === 0 ? {} : { prazos: terms }),
        })
      }
      return getProfile(tx, id)
    })
  })
}

const idsOf = (reports: { idRelatorio: number }[]) => reports.map(({ idRelatorio }) => idRelatorio)

const subjectOf = (id: number) => `perfil:${id}`

const getProfile = async (db: Db, id: number) => orNotFound(await findProfile(db, id))
