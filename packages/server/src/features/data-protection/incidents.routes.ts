import { dataProtectionApi, type Incident, type IncidentDraft, incidentEntity } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Caller } from '../../access/caller.ts'
import { explainMissedUpdate } from '../../audit/record-change.ts'
import { assertReadable } from '../../clinical/sealed-json.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { lockRow } from '../../db/lock-row.ts'
import type { Db } from '../../db/open-database.ts'
import { ifMatchOf } from '../../http/if-match.ts'
import { sendListHeaders } from '../../http/list-headers.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../lib/problem.ts'
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
export const serveIncidents = (app: FastifyInstance, { db, secrets, recordAudit, now }: Services): void => {
  const reading = () => ({ secrets, now: now() })

  /** Audits the read in its transaction: without the audit line there is no answer. */
  const recordRead = (
    tx: Db,
    subject: string,
    { user, request }: { user: Caller; request: FastifyRequest },
  ) => recordAudit(tx, { action: 'incident.read', idUsuario: user.idUsuario, subject, request })

  serve(app, dataProtectionApi.listIncidents, ({ query }, context) =>
    inTransaction(db, async (tx) => {
      const page = await listIncidents(tx, reading(), query)
      await recordRead(tx, 'incidentes', context)
      return sendListHeaders(page, query, context)
    }),
  )

  serve(app, dataProtectionApi.getIncident, ({ params: { id } }, context) =>
    inTransaction(db, async (tx) => {
      const found = await findIncident(tx, reading(), id)
      if (!found) throw new Problem('nao_encontrado')
      await recordRead(tx, subjectOf(id), context)
      return found
    }),
  )

  serve(app, dataProtectionApi.createIncident, ({ body }, { user, request, write }) => {
    const fields = fieldsOf(body, untold)
    assertSound(fields, now())
    assertReadable(fields)
    return write(async (tx) => {
      const created = await insertIncident(tx, reading(), fields, user)
      await recordAudit(tx, {
        action: 'incident.created',
        idUsuario: user.idUsuario,
        subject: subjectOf(created.id),
        details: { versao: created.versao, depois: clearOf(created, clearFields) },
        request,
      })
      return created
    })
  })

  serve(app, dataProtectionApi.updateIncident, ({ params: { id }, body }, { user, request, write }) =>
    write(async (tx) => {
      const ifMatch = ifMatchOf(request)
      await lockRow(tx, incidentEntity, id)
      const before = await findIncident(tx, reading(), id)
      if (!before || (ifMatch !== undefined && ifMatch !== before.versao)) {
        throw await explainMissedUpdate(tx, { exists: !!before, subject: subjectOf(id), ifMatch })
      }
      const fields = fieldsOf(body, before)
      assertSound(fields, now())
      const campos = changedFields(before, fields)
      if (campos.length === 0) {
        await recordRead(tx, subjectOf(id), { user, request })
        return before
      }
      assertReadable(fields)
      const after = await updateIncident(tx, reading(), before, fields)
      const shown = clearFields.filter((field) => campos.includes(field))
      await recordAudit(tx, {
        action: 'incident.updated',
        idUsuario: user.idUsuario,
        subject: subjectOf(id),
        details: {
          versao: after.versao,
          campos,
          antes: clearOf(before, shown),
          depois: clearOf(after, shown),
        },
        request,
      })
      return after
    }),
  )
}

const subjectOf = (id: number) => `incidente:${id}`

type Optional = Pick<
  IncidentFields,
  | 'ocorrido_em'
  | 'titulares_afetados'
  | 'medidas'
  | 'comunicado_anpd_em'
  | 'comunicado_titulares_em'
  | 'motivo_sem_comunicacao'
  | 'encerrado_em'
>

const untold: Optional = {
  ocorrido_em: null,
  titulares_afetados: null,
  medidas: null,
  comunicado_anpd_em: null,
  comunicado_titulares_em: null,
  motivo_sem_comunicacao: null,
  encerrado_em: null,
}

/** Omitted fields keep their value. */
const fieldsOf = (draft: IncidentDraft, kept: Optional): IncidentFields => {
  const given = (field: keyof Optional) => (draft[field] === undefined ? kept[field] : draft[field])
  const optional = Object.fromEntries(
    (Object.keys(untold) as (keyof Optional)[]).map((field) => [field, given(field)]),
  ) as Optional
  const { titulo, conhecido_em, descricao, dados_afetados, gravidade, exige_comunicacao } = draft
  return { titulo, conhecido_em, descricao, dados_afetados, gravidade, exige_comunicacao, ...optional }
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
