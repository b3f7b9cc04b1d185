import { randomInt } from 'node:crypto'
import { problems } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../db/open-database.ts'
import type { Services } from '../http/services.ts'
import { Problem } from '../problem.ts'
import { notifySecondFactor } from './tell-second-factor.ts'

/** What every authenticator app speaks; others (SHA-256, 8 digits) some silently get wrong. */
const parameters = { issuer: 'BI Manager', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How far a phone's clock may be off, in steps of 30 s to either side. */
const window = 1

const codesAtOnce = 10

/** @returns a new secret of 160 bits in Base32, to be sealed before it is kept */
export const newSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ ...parameters, label, secret: Secret.fromBase32(secret) })

/** The address that a QR code carries to the app; `account` is shown there beside the product's name. */
export const uriOf = (secret: string, account: string): string => totpOf(secret, account).toString()

/** The time step that six digits are right for, now or one step off; undefined when they are for none. */
export const stepOf = (secret: string, code: string, now: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window })
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp }) + delta
}

/** Without i, l, o and u, which are misread; 5 bits each. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const newRecoveryCode = (): string => Array.from({ length: 28 }, () => alphabet[randomInt(32)]).join('')

/** One text for all ways to type a code: grouped or not, in capitals, with an o for the zero. */
const foldCode = (typed: string): string =>
  typed.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')

const markText = (idUsuario: number, code: string): string => `codigo-recuperacao:${idUsuario}:${code}`

/**
 * Gives the person recovery codes of 140 random bits each; the earlier ones are void.
 * @returns them as they are shown, this once: seven groups of four, `xxxx-xxxx-…`
 */
export const replaceRecoveryCodes = async (
  tx: Db,
  { secrets }: Pick<Services, 'secrets'>,
  idUsuario: number,
): Promise<string[]> => {
  const codes = Array.from({ length: codesAtOnce }, newRecoveryCode)
  await tx.deleteFrom('codigoRecuperacao').where('idUsuario', '=', idUsuario).execute()
  await tx
    .insertInto('codigoRecuperacao')
    .values(
      codes.map((code) => ({ idUsuario, marca: secrets.digest(markText(idUsuario, code)), usadoEm: null })),
    )
    .execute()
  return codes.map((code) => code.replace(/(.{4})(?!$)/g, '$1-'))
}

export const countRecoveryCodes = async (db: Db, idUsuario: number): Promise<number> => {
  const { total } = await db
    .selectFrom('codigoRecuperacao')
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .where('idUsuario', '=', idUsuario)
    .where('usadoEm', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(total)
}

/** What was shown besides the password: six digits of the app, or a recovery code. */
export type ShownFactor = 'codigo' | 'codigo_recuperacao'

interface ShownCode {
  idUsuario: number
  /** As it was typed. */
  code: string
  request: FastifyRequest
}

/**
 * Takes a code of the person's active second factor, which is then used up: of two calls with the same one, one gets it. A
 * recovery code goes on record, and the person is told.
 * @returns which kind it was; undefined when it is wrong, or was taken before
 */
export const takeCode = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'recordAudit'>,
  { idUsuario, code, request }: ShownCode,
): Promise<ShownFactor | undefined> => {
  const typed = foldCode(code)
  if (/^\d{6}$/.test(typed)) {
    return (await takeAppCode(tx, services, idUsuario, typed)) ? 'codigo' : undefined
  }
  if (!(await takeRecoveryCode(tx, services, idUsuario, typed))) return undefined
  const restantes = await countRecoveryCodes(tx, idUsuario)
  await services.recordAudit(tx, {
    action: 'second-factor.code-used',
    idUsuario,
    subject: `usuario:${idUsuario}`,
    details: { restantes },
    request,
  })
  await notifySecondFactor(tx, idUsuario, {
    titulo: 'Código de recuperação usado',
    texto: `Um código de recuperação da sua conta foi usado. ${leftInWords(restantes)}`,
    now: services.now(),
  })
  return 'codigo_recuperacao'
}

/**
 * Lets in who has no second factor, and who shows a code of theirs. Holds the person's row: a second factor that is turned on
 * meanwhile waits, and ends the session that this is for.
 * @returns what was shown; null from who has none
 * @throws Problem 401 `segundo_fator_necessario` without a code, `codigo_invalido` with a wrong or used one
 */
export const requireSecondFactor = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'recordAudit'>,
  { idUsuario, code, request }: Omit<ShownCode, 'code'> & { code: string | undefined },
): Promise<ShownFactor | null> => {
  const person = await tx
    .selectFrom('usuario')
    .select('temSegundoFator')
    .where('idUsuario', '=', idUsuario)
    .forUpdate()
    .executeTakeFirst()
  if (!person?.temSegundoFator) return null
  if (!code) throw new Problem('segundo_fator_necessario')
  const shown = await takeCode(tx, services, { idUsuario, code, request })
  if (!shown) throw new Problem('codigo_invalido', { detail: wrongCodeText(code) })
  return shown
}

/** What to do about a wrong code: the app shows another one by itself; recovery codes are good once each. */
export const wrongCodeText = (typed: string): string =>
  /^[\d\s-]{0,12}$/.test(typed)
    ? problems.codigo_invalido.detail
    : 'Este código de recuperação não confere ou já foi usado. Cada um vale uma única vez: use outro da sua lista.'

const takeAppCode = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  idUsuario: number,
  code: string,
): Promise<boolean> => {
  const factor = await tx
    .selectFrom('segundoFator')
    .select('segredo')
    .where('idUsuario', '=', idUsuario)
    .where('ativoEm', 'is not', null)
    .executeTakeFirst()
  const step = factor && stepOf(secrets.open(factor.segredo), code, now())
  if (step === undefined) return false
  // A stored step later than any valid code dates from before the clock was set back. Compared with
  // it, every code would be refused until the clock reaches that step again.
  const latest = TOTP.counter({ period: parameters.period, timestamp: now().getTime() }) + window
  const { numUpdatedRows } = await tx
    .updateTable('segundoFator')
    .set({ ultimoPasso: step })
    .where('idUsuario', '=', idUsuario)
    .where((eb) => eb.or([eb('ultimoPasso', '<', step), eb('ultimoPasso', '>', latest)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/** Found by its keyed digest: the time that takes says nothing about the code. */
const takeRecoveryCode = async (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  idUsuario: number,
  code: string,
): Promise<boolean> => {
  const text = markText(idUsuario, code)
  const { numUpdatedRows } = await tx
    .updateTable('codigoRecuperacao')
    .set({ usadoEm: now() })
    .where('idUsuario', '=', idUsuario)
    .where('marca', 'in', [secrets.digest(text), secrets.earlierDigest(text)])
    .where('usadoEm', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('segundoFator')
          .select('segundoFator.idUsuario')
          .whereRef('segundoFator.idUsuario', '=', 'codigoRecuperacao.idUsuario')
          .where('ativoEm', 'is not', null),
      ),
    )
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

const leftInWords = (left: number): string =>
  left === 0 ? 'Não resta nenhum: gere códigos novos.' : left === 1 ? 'Resta 1.' : `Restam ${left}.`
