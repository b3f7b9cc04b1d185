import { type Kiosk, kioskEntity, kiosksApi, WRONG_KIOSK_CODE } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { changesRows, rowsOfScreen, withAttempt } from '../../accounts/index.ts'
import { type ConnectionServices, findRegisteredReport } from '../../connections/index.ts'
import { changeOf } from '../../platform/audit/record-change.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { insertEntity, updateEntity } from '../../platform/db/queries/records.ts'
import { deleteRow } from '../../platform/db/transactions/lock-row.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import { ifMatchOf } from '../../platform/http/if-match.ts'
import { serveList } from '../../platform/http/lists/serve-list.ts'
import { lockEntity } from '../../platform/http/lock-entity.ts'
import { serve } from '../../platform/http/serve.ts'
import { defined } from '../../platform/lib/defined.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { markOfCode } from './kiosk-codes.ts'
import {
  connectScreen,
  disconnectScreen,
  findKiosk,
  findPairing,
  listKiosks,
  listRefusedPages,
  replacePages,
  takePairing,
} from './kiosks.repository.ts'

const dayMs = 24 * 3_600_000

/** Wrong codes of an ADMIN in 15 minutes, over all kiosks. */
const wrongCodesAtMost = 10

export const kiosksRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, secrets, powerBi, writeAudit } = services

  serveList(app, kiosksApi.list, (query) => listKiosks(db, query))

  serve(app, kiosksApi.get, async ({ params }) => orNotFound(await findKiosk(db, params.id)))

  serve(app, kiosksApi.create, ({ body }, { assertReauthenticated, write }) => {
    const { paginas, ...values } = body
    return write(async (tx, audit) => {
      const created = await insertEntity(tx, kioskEntity, defined(values), async (_, id) => {
        await replacePages(tx, id, paginas)
        return findKiosk(tx, id)
      })
      if (showsElse(undefined, created)) assertReauthenticated()
      await assertShowable(tx, created)
      await audit('kiosk.created', subjectOf(created.idTelao), { depois: created })
      return created
    })
  })

  serve(app, kiosksApi.update, ({ params: { id }, body }, { request, assertReauthenticated, write }) => {
    const { paginas, ...values } = body
    return write(async (tx, audit) => {
      const before = await lockEntity(tx, kioskEntity, id, findKiosk, ifMatchOf(request))
      await replacePages(tx, id, paginas)
      const updated = await updateEntity(tx, kioskEntity, id, defined(values), findKiosk)
      // Compares with the written row; a refusal rolls the update back.
      if (showsElse(before, updated)) assertReauthenticated()
      await assertShowable(tx, updated)
      await audit('kiosk.updated', subjectOf(id), changeOf(before, updated))
      return updated
    })
  })

  serve(app, kiosksApi.remove, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      const before = await lockEntity(tx, kioskEntity, id, findKiosk)
      await deleteRow(tx, kioskEntity, id)
      await audit('kiosk.deleted', subjectOf(id), { antes: before })
    }),
  )

  serve(app, kiosksApi.listPages, async ({ params: { idRelatorio } }) => {
    const { connection, ...address } = orNotFound(await findRegisteredReport(services, idRelatorio))
    return powerBi.listPages(connection, address)
  })

  /** Counts a wrong code against the ADMIN who typed it, and audits it. */
  const withCode = <T>(user: Caller, work: (forget: (tx: Db) => Promise<void>) => Promise<T>): Promise<T> => {
    const key = secrets.digest(`telao-codigo:${user.idUsuario}`)
    const allowances = [{ key, limit: wrongCodesAtMost }]
    return withAttempt({ db, now }, { allowances, isFailure: isWrongCode }, ({ forget }) => work(forget))
  }
  const refuse = async (user: Caller, id: number, request: Parameters<typeof ifMatchOf>[0]) => {
    const { idUsuario } = user
    await writeAudit(db, { action: 'kiosk.code-refused', idUsuario, subject: subjectOf(id), request })
    throw wrongCode()
  }

  serve(app, kiosksApi.inspectCode, async ({ params: { id }, body: { codigo } }, { user, request }) => {
    orNotFound(await findKiosk(db, id))
    return withCode(user, async (forget) => {
      const found = await findPairing(db, markOfCode(secrets, codigo), now())
      if (!found) return refuse(user, id, request)
      await forget(db)
      const { dispositivo, endereco, criadoEm, expiraEm } = found
      const times = { pedidoEm: criadoEm.toISOString(), expiraEm: expiraEm.toISOString() }
      return { dispositivo, endereco, ...times }
    })
  })

  serve(app, kiosksApi.connect, async ({ params: { id }, body: { codigo } }, { user, request, write }) => {
    return withCode(user, (forget) =>
      write(async (tx, audit) => {
        const before = await lockEntity(tx, kioskEntity, id, findKiosk)
        const found = await takePairing(tx, markOfCode(secrets, codigo), now())
        if (!found) throw wrongCode()
        const { marca, dispositivo, endereco } = found
        const conectadaEm = now()
        const expiraEm = new Date(conectadaEm.getTime() + before.validadeDias * dayMs)
        const screen = { marca, conectadaPor: user.idUsuario, conectadaEm, expiraEm, dispositivo }
        await connectScreen(tx, { idTelao: id, ...screen })
        await forget(tx)
        const details = { dispositivo, enderecoTela: endereco, expiraEm }
        await audit('kiosk.connected', subjectOf(id), { ...details, trocouTela: before.conectadaEm !== null })
        return orNotFound(await findKiosk(tx, id))
      }),
    ).catch((error: unknown) => {
      if (isWrongCode(error)) return refuse(user, id, request)
      throw error
    })
  })

  serve(app, kiosksApi.disconnect, ({ params: { id } }, { write }) =>
    write(async (tx, audit) => {
      await lockEntity(tx, kioskEntity, id, findKiosk)
      if (await disconnectScreen(tx, id)) await audit('kiosk.disconnected', subjectOf(id))
      return orNotFound(await findKiosk(tx, id))
    }),
  )
}

const subjectOf = (id: number) => `telao:${id}`

/**
 * Whether the screen shows other rows, or at other networks, which may be wider than the present
 * ones or those of the roles. With an identity, the rows of one more report are other rows.
 */
const showsElse = (before: Kiosk | undefined, after: Kiosk): boolean =>
  changesRows(before && rowsOfScreen(before), rowsOfScreen(after)) ||
  (hasIdentity(after) && addsReport(before?.paginas ?? [], after.paginas)) ||
  (before?.redes ?? []).join() !== after.redes.join()

const hasIdentity = ({ usuarioIdentidade, identidadeRls }: Kiosk): boolean =>
  usuarioIdentidade !== null || identidadeRls !== null

const addsReport = (before: Kiosk['paginas'], after: Kiosk['paginas']): boolean => {
  const known = new Set(before.map(({ idRelatorio }) => idRelatorio))
  return after.some(({ idRelatorio }) => !known.has(idRelatorio))
}

/** @throws Problem 422 at `paginas`, which names each report that cannot be shown */
const assertShowable = async (tx: Db, { idTelao }: Kiosk): Promise<void> => {
  const refused = await listRefusedPages(tx, idTelao)
  if (refused.length === 0) return
  const texts = refused.map(({ nomeRelatorio, impedimento }) => `“${nomeRelatorio}”: ${impedimento}`)
  throw new Problem('campos_invalidos', { campos: { paginas: [...new Set(texts)].join(' ') } })
}

const wrongCode = () =>
  new Problem('campos_invalidos', {
    campos: { codigo: WRONG_KIOSK_CODE },
  })

const isWrongCode = (error: unknown): boolean =>
  error instanceof Problem && error.codigo === 'campos_invalidos'
