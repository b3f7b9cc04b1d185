import { kioskScreenApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import {
  type ConnectionServices,
  dataTimeOf,
  effectiveIdentityOf,
  registeredConnection,
} from '../../connections/index.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { KioskDevice } from '../../platform/http/callers/kiosk-device.ts'
import { createCallLimit } from '../../platform/http/guard/shared-call-counts.ts'
import { serve } from '../../platform/http/serve.ts'
import { orNotFound, Problem } from '../../platform/lib/problem.ts'
import { embedWithoutUser, openedColumns } from '../../reports/index.ts'
import { selectShownPages } from './kiosk-pages.ts'

/**
 * Embed tokens per minute and screen: each is a call of the provider and a line of the audit. A
 * rotation of the shortest pages needs 12 when it starts, then one an hour for each page.
 */
const embedsAMinute = 30

/** Milliseconds. Screens share the remembered answer of the provider with all viewers. */
const dataAgeMs = 5 * 60_000

/**
 * Embed tokens for a screen on a wall. It records no view and counts no usage, does not start a
 * paused capacity and does not keep one awake.
 */
export const kioskEmbedRoutes = async (app: FastifyInstance, services: ConnectionServices) => {
  const { db, now, embedIssuer, refreshHistories } = services
  const assertFewEmbeds = createCallLimit(app, services, embedsAMinute)

  serve(app, kioskScreenApi.embed, async ({ params: { id } }, { request }) => {
    const kiosk = orNotFound(request.kiosk)
    await assertFewEmbeds(`tela-embed:${kiosk.marca}`)
    const { found, embedded } = await embedWithoutUser(services, request, {
      find: () => findPage(db, kiosk, id, now()),
      reader: `tela:${kiosk.marca}`,
      action: 'kiosk.embed-issued',
      subjectOf: ({ report }) => `telao:${report.idTelao}`,
    })
    return { ...embedded, pageName: found.report.pagina }
  })

  serve(app, kioskScreenApi.dataTime, async ({ params: { id } }, { request }) => {
    const { report } = await findPage(db, orNotFound(request.kiosk), id, now())
    const { idGrupo: groupId, reportId, datasetsAdicionais } = report
    const connection = registeredConnection(report, services)
    try {
      const dataset = await embedIssuer.placeOfDataset({ connection, groupId, reportId, datasetsAdicionais })
      const refreshes = await refreshHistories.read(dataset, dataAgeMs)
      return { atualizadosEm: dataTimeOf(refreshes)?.toISOString() ?? null }
    } catch (err) {
      if (!(err instanceof Problem)) throw err
      request.log.info({ err }, 'the data time of a page on a screen is not known')
      return { atualizadosEm: null }
    }
  })
}

/**
 * Returns the report of a page that the screen may show now, and the kiosk's effective identity.
 * @throws Problem 404 when the screen was disconnected, or may not show such a page
 */
const findPage = async (db: Db, { marca }: KioskDevice, idTelaoPagina: number, now: Date) => {
  const shown = selectShownPages(db)
    .clearSelect()
    .clearOrderBy()
    .select('idTelaoPagina')
    .where('telaoTela.marca', '=', marca)
    .where('telaoTela.expiraEm', '>', now)
    .where('telao.ativo', '=', true)
    .where('idTelaoPagina', '=', idTelaoPagina)
  const row = await db
    .selectFrom('telaoPagina')
    .innerJoin('telao', 'telao.idTelao', 'telaoPagina.idTelao')
    .innerJoin('relatorio', 'relatorio.idRelatorio', 'telaoPagina.idRelatorio')
    .innerJoin('grupoRelatorio', 'grupoRelatorio.idGrupoRelatorio', 'relatorio.idGrupoRelatorio')
    .innerJoin('powerbi', 'powerbi.idPowerBi', 'grupoRelatorio.idPowerBi')
    .select(['telao.idTelao', 'pagina', 'telao.usuarioIdentidade as usuarioTelao', 'telao.identidadeRls'])
    .select(openedColumns)
    .where('idTelaoPagina', 'in', shown)
    .executeTakeFirst()
  const { usuarioTelao, identidadeRls, ...report } = orNotFound(row)
  const viewer = { emailUsuario: usuarioTelao ?? '', emailComprovado: true, identidadeRls }
  return { report: { ...report, temComentarios: false }, identity: effectiveIdentityOf(report, viewer) }
}
