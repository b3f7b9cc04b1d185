import { randomUUID } from 'node:crypto'
import type { Insertable } from 'kysely'
import { markOfCode, newCode, newCredential } from '../../src/distribution/kiosks/kiosk-codes.ts'
import { markOfCredential } from '../../src/distribution/kiosks/kiosk-devices.ts'
import type { Tables } from '../../src/platform/db/types.ts'
import type { TestApp } from '../test-app.ts'

type Kiosk = Partial<Insertable<Tables['telao']>>

/** Inserts a kiosk with one page of each report, if any. */
export const createKiosk = async (
  { db }: Pick<TestApp, 'db'>,
  idRelatorios: number[],
  fields: Kiosk = {},
) => {
  const kiosk = await db
    .insertInto('telao')
    .values({ nome: `Telão ${randomUUID()}`, ...fields })
    .returningAll()
    .executeTakeFirstOrThrow()
  const pages = idRelatorios.map((idRelatorio, posicao) => ({
    idTelao: kiosk.idTelao,
    posicao,
    idRelatorio,
    nomeRelatorio: 'Relatório',
    segundos: 30,
    pagina: null,
    tituloPagina: null,
  }))
  const paginas =
    pages.length > 0
      ? await db.insertInto('telaoPagina').values(pages).returning('idTelaoPagina').execute()
      : []
  return { ...kiosk, pages: paginas.map(({ idTelaoPagina }) => idTelaoPagina) }
}

type KioskApp = Pick<TestApp, 'db' | 'services'>

/** Inserts a screen that shows a code. */
export const waitingScreen = async ({ db, services: { secrets, now } }: KioskApp) => {
  const [codigo, credencial, criadoEm] = [newCode(), newCredential(), now()]
  await db
    .insertInto('telaoCodigo')
    .values({
      marcaCodigo: markOfCode(secrets, codigo),
      marca: markOfCredential(secrets, credencial),
      criadoEm,
      expiraEm: new Date(criadoEm.getTime() + 600_000),
      dispositivo: 'Tela de teste',
      endereco: '192.0.2.7',
      rede: '192.0.2.7',
    })
    .execute()
  return { codigo, credencial }
}

/** Inserts a connected screen, and returns its credential. */
export const connectedScreen = async (
  { db, services: { secrets, now } }: KioskApp,
  { idTelao, conectadaPor }: { idTelao: number; conectadaPor: number },
): Promise<string> => {
  const [credencial, conectadaEm] = [newCredential(), now()]
  const expiraEm = new Date(conectadaEm.getTime() + 24 * 3_600_000)
  const marca = markOfCredential(secrets, credencial)
  await db.insertInto('telaoTela').values({ idTelao, marca, conectadaPor, conectadaEm, expiraEm }).execute()
  return credencial
}
