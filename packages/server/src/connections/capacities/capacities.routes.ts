import { isDeepStrictEqual } from 'node:util'
import {
  type Capacity,
  type CapacityStatus,
  capacitiesApi,
  capacityEntity,
  profileEntity,
  userEntity,
} from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow, type Keyed, lockRow } from '../../platform/db/transactions/lock-row.ts'
import type { Write } from '../../platform/http/caller-transaction.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { answerCsv, answerEntitiesCsv } from '../../platform/http/lists/csv.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import { defined } from '../../platform/lib/defined.ts'
import { dayOf } from '../../platform/lib/local-time.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { takeBack } from '../../platform/notifications/notify.ts'
import {
  deletePerson,
  deleteProfile,
  exportCapacities,
  findCapacity,
  findStarters,
  insertPerson,
  insertProfile,
  listCapacities,
  mayManage,
} from './capacities.repository.ts'
import type { CapacityChange } from './capacity-control.ts'
import { exportPeriods, readHours } from './capacity-hours.repository.ts'
import { lastDue, lastSize, nextDue } from './capacity-schedule.ts'
import { beginSchedule, findKnownCapacity, type KnownCapacity, storeState } from './capacity-store.ts'
import type { ConnectionServices } from './connection-services.ts'

/** Milliseconds. All administrators who watch a capacity share one reading of this age. */
const watchedMs = 4_000

export const capacitiesRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, capacityControl, capacityGate, now } = services

  serveList(app, capacitiesApi.list, (query) => listCapacities(db, query))

  serve(app, capacitiesApi.exportCsv, async ({ query }, context) =>
    answerEntitiesCsv(db, context, capacityEntity, { query, list: await exportCapacities(db, query) }),
  )

  serve(app, capacitiesApi.get, async ({ params }) => orNotFound(await findCapacity(db, params.id)))

  serve(app, capacitiesApi.create, ({ body }, { assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const created = await insertEntity(tx, capacityEntity, defined(body), async (_, id) => {
        await beginSchedule(tx, id, now())
        return findCapacity(tx, id)
      })
      await assertUsable(tx, created)
      if (changesAutomation(undefined, created)) assertReauthenticated()
      await audit('capacity.created', subjectOf(created.idCapacidade), { depois: created })
      return created
    }),
  )

  serve(app, capacitiesApi.update, ({ params: { id }, body }, { request, assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, capacityEntity, id, findCapacity, ifMatchOf(request))
      const updated = await updateEntity(tx, capacityEntity, id, defined(body), findCapacity)
      await assertUsable(tx, updated)
      if (changesAutomation(before, updated)) assertReauthenticated()
      if (hasOtherMoment(before, updated, now())) {
        await beginSchedule(tx, id, now())
        await takeBack(tx, subjectOf(id))
      }
      if (before.recurso !== updated.recurso) await storeState(tx, id, unread)
      await audit('capacity.updated', subjectOf(id), changeOf(before, updated))
      return updated
    }),
  )

  serve(app, capacitiesApi.remove, ({ params: { id } }, { assertReauthenticated, write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, capacityEntity, id, findCapacity)
      if (changesAutomation(before, undefined)) assertReauthenticated()
      await deleteRow(tx, capacityEntity, id)
      await audit('capacity.deleted', subjectOf(id), { antes: before })
    }),
  )

  const getKnown = async (id: number): Promise<KnownCapacity> => orNotFound(await findKnownCapacity(db, id))

  serve(app, capacitiesApi.status, async ({ params: { id } }) =>
    statusOf(await capacityControl.refresh(await getKnown(id), watchedMs), now()),
  )

  /** @throws Problem 422 for a size that Azure does not offer to the capacity */
  const assertOffered = async (capacity: KnownCapacity, sku: string): Promise<void> => {
    if (!(await capacityControl.listSkus(capacity)).includes(sku))
      throw new Problem('campos_invalidos', {
        campos: { sku: 'O Azure não oferece este tamanho a esta capacidade. Escolha outro.' },
      })
  }

  const change = async (id: number, wanted: CapacityChange, write: Write): Promise<CapacityStatus> => {
    // Checks the caller once more before the reading, which stores what Azure answers.
    await write.checkCaller()
    const capacity = await capacityControl.refresh(await getKnown(id), 0)
    if (wanted.acao === 'REDIMENSIONAR') await assertOffered(capacity, wanted.sku)
    const begin: Parameters<typeof capacityControl.change>[2]['begin'] = (work) =>
      write((tx, audit) => work(tx, audit))
    const changed = await capacityControl.change(capacity, wanted, { causa: 'manual', begin })
    capacityGate.forget()
    return statusOf(changed, now())
  }
  serve(app, capacitiesApi.start, ({ params: { id } }, { write }) => change(id, { acao: 'INICIAR' }, write))
  serve(app, capacitiesApi.pause, ({ params: { id } }, { write }) => change(id, { acao: 'PAUSAR' }, write))
  serve(app, capacitiesApi.resize, ({ params: { id }, body: { sku } }, { write }) =>
    change(id, { acao: 'REDIMENSIONAR', sku }, write),
  )

  serve(app, capacitiesApi.skus, async ({ params: { id } }) => capacityControl.listSkus(await getKnown(id)))

  serve(app, capacitiesApi.hours, async ({ params: { id }, query: { mes } }) => {
    orNotFound(await findCapacity(db, id))
    return readHours(db, id, { mes, hoje: dayOf(now()) })
  })

  serve(app, capacitiesApi.hoursCsv, async ({ params: { id } }, context) => {
    orNotFound(await findCapacity(db, id))
    return answerCsv(db, context, {
      name: 'horas-de-uso',
      subject: subjectOf(id),
      query: {},
      list: await exportPeriods(db, id),
      columns: { inicio: 'Início', fim: 'Fim', horas: 'Horas', sku: 'Tamanho' },
    })
  })

  serve(app, capacitiesApi.starters, async ({ params: { id } }) => {
    orNotFound(await findCapacity(db, id))
    return findStarters(db, id)
  })

  /** Allows or disallows a person or a profile, both of which must exist. */
  const changeStarter = async <T extends object>(
    write: Write,
    { id, other, otherId, pode, store }: StarterChange<T>,
  ): Promise<void> =>
    write(async (tx, audit) => {
      const isThere = (await lockRow(tx, other, otherId)) && (await lockRow(tx, capacityEntity, id))
      if (!isThere) throw new Problem('nao_encontrado')
      const key = { [other.id]: otherId } as T
      if (await store(tx, { idCapacidade: id, ...key }))
        await audit('capacity.starters-changed', subjectOf(id), { ...key, pode })
    })
  const changePerson =
    (pode: boolean, store: typeof insertPerson) =>
    ({ params: { id, idUsuario } }: Params<'idUsuario'>, { write }: { write: Write }) =>
      changeStarter(write, { id, other: userEntity, otherId: idUsuario, pode, store })
  const changeProfile =
    (pode: boolean, store: typeof insertProfile) =>
    ({ params: { id, idPerfil } }: Params<'idPerfil'>, { write }: { write: Write }) =>
      changeStarter(write, { id, other: profileEntity, otherId: idPerfil, pode, store })
  serve(app, capacitiesApi.allowPerson, changePerson(true, insertPerson))
  serve(app, capacitiesApi.disallowPerson, changePerson(false, deletePerson))
  serve(app, capacitiesApi.allowProfile, changeProfile(true, insertProfile))
  serve(app, capacitiesApi.disallowProfile, changeProfile(false, deleteProfile))
}

interface Params<K extends string> {
  params: { id: number } & Record<K, number>
}

interface StarterChange<T> {
  id: number
  other: Keyed
  otherId: number
  pode: boolean
  store: (tx: Db, row: { idCapacidade: number } & T) => Promise<boolean>
}

const subjectOf = (id: number) => `capacidade:${id}`

/** The state of a resource that was not read yet. */
const unread = { estado: 'DESCONHECIDA', sku: null, tentadaEm: null, lidaEm: null, falha: null } as const

/** Whether the last moment of the schedule, which may still be pending, is another one. */
const hasOtherMoment = (before: Capacity, after: Capacity, now: Date): boolean =>
  before.recurso !== after.recurso ||
  !isDeepStrictEqual(lastDue(before, now), lastDue(after, now)) ||
  !isDeepStrictEqual(lastSize(before, now), lastSize(after, now))

/** Whether the portal would start, pause or resize another capacity, or at other times. */
const changesAutomation = (before: Capacity | undefined, after: Capacity | undefined): boolean =>
  !isDeepStrictEqual(before && automationOf(before), after && automationOf(after))

/** What the portal does with a capacity by itself; undefined when it does nothing. */
const automationOf = ({ iniciaAs, pausaAs, ociosaMinutos, ...capacity }: Capacity) => {
  if (iniciaAs === null && pausaAs === null && ociosaMinutos === null) return undefined
  const { recurso, idPowerBi, diasAgenda, feriados, tamanhoInicio, tamanhoFim } = capacity
  const when = { iniciaAs, pausaAs, ociosaMinutos, diasAgenda, feriados }
  return { ...when, recurso, idPowerBi, tamanhoInicio, tamanhoFim }
}

/** @throws Problem 422 for a connection or a schedule that the portal cannot use */
const assertUsable = async (
  tx: Db,
  { idPowerBi, tipoCapacidade, diasAgenda, iniciaAs, pausaAs, tamanhoInicio, tamanhoFim }: Capacity,
): Promise<void> => {
  const campos: Record<string, string> = {}
  if (!(await mayManage(tx, idPowerBi)))
    campos.idPowerBi =
      'Escolha um Powerbi da Microsoft com service principal: só ele pode mudar a capacidade.'
  if (iniciaAs !== null && iniciaAs === pausaAs) campos.pausaAs = 'Informe uma hora diferente da de início.'
  if (diasAgenda.length === 0 && (iniciaAs !== null || pausaAs !== null))
    campos.diasAgenda = 'Escolha os dias da agenda, ou deixe as horas vazias.'
  if (tamanhoInicio && !iniciaAs) campos.tamanhoInicio = 'Informe a hora em que a agenda inicia.'
  if (tamanhoFim && !pausaAs) campos.tamanhoFim = 'Informe a hora em “Pausa às”.'
  for (const [field, size] of Object.entries({ tamanhoInicio, tamanhoFim }))
    if (size && !size.startsWith(tipoCapacidade))
      campos[field] = `Os tamanhos desta capacidade começam com ${tipoCapacidade}, como ${tipoCapacidade}2.`
  if (Object.keys(campos).length > 0) throw new Problem('campos_invalidos', { campos })
}

const statusOf = (capacity: KnownCapacity, now: Date): CapacityStatus => {
  const { estado, sku, lidaEm, falha, naoPausada, usadaEm } = capacity
  const next = nextDue(capacity, now)
  return {
    estado,
    sku,
    lidoEm: lidaEm?.toISOString() ?? null,
    falha,
    naoPausada,
    proxima: next
      ? { acao: next.acao, sku: 'sku' in next ? next.sku : null, em: next.em.toISOString() }
      : null,
    usadaEm: usadaEm?.toISOString() ?? null,
  }
}
