import { kioskScreenApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { bookAttempt } from '../../accounts/index.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { markOfCode, newCode, newCredential } from './kiosk-codes.ts'
import { markOfCredential } from './kiosk-devices.ts'
import { denialReasonOf, refusalOf, selectKioskPages } from './kiosk-pages.ts'
import { findPairingState, insertPairing } from './kiosks.repository.ts'

const codeMs = 10 * 60_000

/** Codes that one network may ask for in 15 minutes: some forty screens that wait. */
const codesAtMost = 60

/** The calls of a screen (RFC 8628 with the portal's own messages). */
export const kioskScreenRoutes = async (app: FastifyInstance, { db, now, secrets }: Services) => {
  serve(app, kioskScreenApi.requestCode, async (_, { request }) => {
    const key = secrets.digest(`telao-pedido:${networkOf(request.ip, 56)}`)
    // Each code counts; the attempt is not forgotten.
    await bookAttempt(db, [{ key, limit: codesAtMost }], now())
    const criadoEm = now()
    const expiraEm = new Date(criadoEm.getTime() + codeMs)
    const dispositivo = request.headers['user-agent']?.slice(0, 300) ?? null
    const [codigo, credencial] = [newCode(), newCredential()]
    const pairing = {
      criadoEm,
      expiraEm,
      dispositivo,
      endereco: request.ip,
      rede: networkOf(request.ip, 48),
      marcaCodigo: markOfCode(secrets, codigo),
      marca: markOfCredential(secrets, credencial),
    }
    await inTransaction(db, (tx) => insertPairing(tx, pairing))
    return { codigo, credencial, expiraEm: expiraEm.toISOString() }
  })

  serve(app, kioskScreenApi.awaitConnection, async ({ body: { credencial } }) => {
    const situacao = await findPairingState(db, markOfCredential(secrets, credencial), now())
    if (!situacao) throw new Problem('codigo_tela_vencido')
    return { situacao }
  })

  serve(app, kioskScreenApi.rotation, async (_, { request }) => {
    const idTelao = request.kiosk?.idTelao ?? 0
    const [kiosk, pages] = await Promise.all([
      db
        .selectFrom('telao')
        .select(['nome', 'aparencia', 'ativo'])
        .where('idTelao', '=', idTelao)
        .executeTakeFirst(),
      selectKioskPages(db).where('telaoPagina.idTelao', '=', idTelao).execute(),
    ])
    // The kiosk was deleted after the guard read it.
    if (!kiosk) throw new Problem('telao_desconectado')
    const paginas = pages
      .filter((page) => kiosk.ativo && denialReasonOf(page) === null)
      .flatMap(({ idRelatorio, ...page }) => (idRelatorio === null ? [] : [{ ...page, idRelatorio }]))
    const refusals = pages.flatMap((page) => refusalOf(page) ?? [])
    const motivo = kiosk.ativo && paginas.length === 0 ? [...new Set(refusals)].join(' ') || null : null
    return { ...kiosk, paginas, motivo }
  })
}
