import { Secret, TOTP } from 'otpauth'
import { newSecret, replaceRecoveryCodes } from '../../src/accounts/credentials/second-factor.ts'
import type { TestApp } from '../test-app.ts'

/** Returns the code that an authenticator app shows for the secret at that time. */
export const codeAt = (secret: string, time: number): string =>
  new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: time })

/** Returns the current code, by the clock of the app under test. */
export const codeNow = (app: Pick<TestApp, 'clock'>, secret: string): string =>
  codeAt(secret, Date.now() + app.clock.offsetMs)

/** Returns six digits that are not valid at any time near now. */
export const wrongCode = (app: Pick<TestApp, 'clock'>, secret: string): string => {
  const near = [-2, -1, 0, 1, 2].map((steps) =>
    codeAt(secret, Date.now() + app.clock.offsetMs + steps * 30_000),
  )
  return (
    ['000000', '111111', '222222', '333333', '444444', '555555'].find((code) => !near.includes(code)) ?? ''
  )
}

/** Gives a user a second factor: active, or with `isPending` before the first code. */
export const giveSecondFactor = async (
  { db, services }: Pick<TestApp, 'db' | 'services'>,
  idUsuario: number,
  { isPending = false } = {},
): Promise<{ secret: string; recoveryCodes: string[] }> => {
  const secret = newSecret()
  const [segredo, ativoEm] = [services.secrets.encrypt(secret), isPending ? null : services.now()]
  await db.deleteFrom('segundoFator').where('idUsuario', '=', idUsuario).execute()
  const idSessao = isPending ? await latestSession(db, idUsuario) : null
  await db.insertInto('segundoFator').values({ idUsuario, segredo, ativoEm, idSessao }).execute()
  return { secret, recoveryCodes: isPending ? [] : await replaceRecoveryCodes(db, services, idUsuario) }
}

/** The session that an enrolment belongs to. */
const latestSession = async (db: TestApp['db'], idUsuario: number): Promise<string | null> => {
  const row = await db
    .selectFrom('sessao')
    .select('idSessao')
    .where('idUsuario', '=', idUsuario)
    .orderBy('criadaEm', 'desc')
    .executeTakeFirst()
  return row?.idSessao ?? null
}
