import { dataProtectionApi, type Incident, incidentEntity } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerList } from '../../platform/http/lists/list-headers.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { defined } from '../../platform/lib/defined.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { assertReadable } from '../health-data/encrypted-json.ts'
import { faultsOf } from './incident.rules.ts'
import {
  findIncident,
  type IncidentFields,
  insertIncident,
  listIncidents,
  updateIncident,
} from './incidents.repository.ts'

/**
 * Serves the register of incidents (Res. CD/ANPD 15/2024, art. 10). Nothing is deleted: it must be
 * kept for at least five years.
 */
export const serveIncidents = (app: FastifyInstance, { db, secrets, now }: Services): void => {
  const reading = () => ({ secrets, now: now() })

  serve(app, dataProtectionApi.listIncidents, ({ query }, context) =>
    inTransaction(db, async (tx) => {
      const page = await listIncidents(tx, reading(), query)
      // Without the audit line there is no answer.
      await context.auditIn(tx, 'incident.read', 'incidentes')
      return answerList(page, query, context)
    }),
  )

  serve(app, dataProtectionApi.getIncident, ({ params: { id } }, context) =>
    inTransaction(db, async (tx) => {
      const found = orNotFound(await findIncident(tx, reading(), id))
      await context.auditIn(tx, 'incident.read', subjectOf(id))
      return found
    }),
  )

  serve(app, dataProtectionApi.createIncident, ({ body }, { user, write }) => {
    const fields = { ...emptyFields, ...defined(body) }
    assertSound(fields, now())
    assertReadable(fields)
    return write(async (tx, audit) => {
      const created = await insertIncident(tx, reading(), fields, user)
      await audit('incident.created', subjectOf(created.id), {
        versao: created.versao,
        depois: clearOf(created, clearFields),
      })
      return created
    })
  })

  serve(app, dataProtectionApi.updateIncident, ({ params: { id }, body }, { request, write }) =>
    write(async (tx, audit) => {
      const find = (db: Db) => findIncident(db, reading(), id)
      const before = await lockEntity(tx, incidentEntity, id, find, ifMatchOf(request))
      const fields = { ...before, ...defined(body) }
      assertSound(fields, now())
      const campos = changedFields(before, fields)
      if (campos.length === 0) {
        await audit('incident.read', subjectOf(id))
        return before
      }
      assertReadable(fields)
      const after = await updateIncident(tx, reading(), before, fields)
      const shown = clearFields.filter((field) => campos.includes(field))
      await audit('incident.updated', subjectOf(id), {
        versao: after.versao,
        campos,
        antes: clearOf(before, shown),
        depois: clearOf(after, shown),
      })
      return after
    }),
  )
}

const subjectOf = (id: number) => `incidente:${id}`

/** Fields that a new incident may omit. */
const emptyFields = {
  ocorrido_em: null,
  titulares_afetados: null,
  medidas: null,
  comunicado_anpd_em: null,
  comunicado_titulares_em: null,
  motivo_sem_comunicacao: null,
  encerrado_em: null,
}

const assertSound = (fields: IncidentFields, now: Date): void => {
  const campos = faultsOf(fields, now)
  if (Object.keys(campos).length > 0) throw new Problem('campos_invalidos', { campos })
}

/** Dates, numbers and choices. Texts may name people, and must not reach the audit. */
const clearFields = [
  'conhecido_em',
  'ocorrido_em',
  'titulares_afetados',
  'gravidade',
  'exige_comunicacao',
  'comunicado_anpd_em',
  'comunicado_titulares_em',
  'encerrado_em',
] as const satisfies (keyof IncidentFields)[]

const clearOf = (incident: Incident, fields: readonly (typeof clearFields)[number][]) =>
  Object.fromEntries(fields.map((field) => [field, incident[field]]))

/** The names of all changed fields, texts too. */
const changedFields = (before: Incident, after: IncidentFields): string[] =>
  (Object.keys(after) as (keyof IncidentFields)[]).filter(
    (field) => before[field] !== after[field] && !isSameInstant(field, before[field], after[field]),
  )

/** An instant may be written in several ways. */
const isSameInstant = (field: string, before: unknown, after: unknown): boolean =>
  field.endsWith('_em') && Date.parse(String(before)) === Date.parse(String(after))
