import { randomInt } from 'node:crypto'
import { problems } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import { Secret, TOTP } from 'otpauth'
import type { Db } from '../../platform/db/open-database.ts'
import { countRows } from '../../platform/db/queries/list-page.ts'
import { hasChanged } from '../../platform/db/queries/outcomes.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { notifySecondFactor } from './notify-second-factor.ts'

/** What all authenticator apps support; some silently ignore SHA-256 or 8 digits. */
const parameters = { issuer: 'BI Manager', algorithm: 'SHA1', digits: 6, period: 30 } as const

/** How far a phone's clock may be off, in steps of 30 s in both directions. */
const window = 1

const codesAtOnce = 10

/** @returns a new secret of 160 bits in Base32; must be encrypted before it is stored */
export const newSecret = (): string => new Secret({ size: 20 }).base32

const totpOf = (secret: string, label = ''): TOTP =>
  new TOTP({ ...parameters, label, secret: Secret.fromBase32(secret) })

/** Returns the address for the QR code; the app shows `account` next to the product's name. */
export const uriOf = (secret: string, account: string): string => totpOf(secret, account).toString()

/**
 * Returns the TOTP step that the six digits belong to, at most `window` off; undefined for a wrong
 * code.
 */
export const stepOf = (secret: string, code: string, now: Date): number | undefined => {
  if (!/^\d{6}$/.test(code)) return undefined
  const timestamp = now.getTime()
  const delta = totpOf(secret).validate({ token: code, timestamp, window })
  return delta === null ? undefined : TOTP.counter({ period: parameters.period, timestamp }) + delta
}

/** 5 bits per character; without i, l, o and u, which are easily misread. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'

const newRecoveryCode = (): string => Array.from({ length: 28 }, () => alphabet[randomInt(32)]).join('')

/** Normalises a typed code: without groups, lower case, o as 0, i and l as 1. */
const foldCode = (typed: string): string =>
  typed.replace(/[\s-]/g, '').toLowerCase().replaceAll('o', '0').replace(/[il]/g, '1')

const markText = (idUsuario: number, code: string): string => `codigo-recuperacao:${idUsuario}:${code}`

/**
 * Replaces the user's recovery codes by new ones of 140 random bits each.
 * @returns the codes for display, which are not stored: seven groups of four, `xxxx-xxxx-…`
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

export const countRecoveryCodes = (db: Db, idUsuario: number): Promise<number> =>
  countRows(
    db.selectFrom('codigoRecuperacao').where('idUsuario', '=', idUsuario).where('usadoEm', 'is', null),
  )

/** What was shown in addition to the password: six digits of the app, or a recovery code. */
type ShownFactor = 'codigo' | 'codigo_recuperacao'

interface ShownCode {
  idUsuario: number
  /** The text as the user typed it. */
  code: string
  request: FastifyRequest
}

/**
 * Consumes a code of the user's active second factor; of two concurrent calls with the same code,
 * one gets it. Use of a recovery code is audited and the user notified.
 * @returns the kind of code; undefined when it is wrong or was used before
 */
export const consumeCode = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'writeAudit'>,
  { idUsuario, code, request }: ShownCode,
): Promise<ShownFactor | undefined> => {
  const typed = foldCode(code)
  if (/^\d{6}$/.test(typed)) {
    return (await takeAppCode(tx, services, idUsuario, typed)) ? 'codigo' : undefined
  }
  if (!(await takeRecoveryCode(tx, services, idUsuario, typed))) return undefined
  const restantes = await countRecoveryCodes(tx, idUsuario)
  await services.writeAudit(tx, {
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
 * Requires a code of a user who has a second factor. The caller holds the lock of the user's row,
 * so that a concurrent activation of a second factor waits, and then ends the session opened here.
 * @returns what was shown; null when the user has no second factor
 * @throws Problem 401 `segundo_fator_necessario` without a code, `codigo_invalido` with a wrong or
 * used one
 */
export const requireSecondFactor = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now' | 'writeAudit'>,
  {
    idUsuario,
    temSegundoFator,
    code,
    request,
  }: Omit<ShownCode, 'code'> & { temSegundoFator: boolean; code: string | undefined },
): Promise<ShownFactor | null> => {
  if (!temSegundoFator) return null
  if (!code) throw new Problem('segundo_fator_necessario')
  const shown = await consumeCode(tx, services, { idUsuario, code, request })
  if (!shown) throw new Problem('codigo_invalido', { detail: wrongCodeText(code) })
  return shown
}

/**
 * Returns what to do about a wrong code: wait for the app's next one, or use another recovery code.
 */
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
  const step = factor && stepOf(secrets.decrypt(factor.segredo), code, now())
  if (step === undefined) return false
  // A stored step later than any valid code dates from before the clock was set back. Compared with
  // it, every code would be refused until the clock reaches that step again.
  const latest = TOTP.counter({ period: parameters.period, timestamp: now().getTime() }) + window
  return hasChanged(
    tx
      .updateTable('segundoFator')
      .set({ ultimoPasso: step })
      .where('idUsuario', '=', idUsuario)
      .where((eb) => eb.or([eb('ultimoPasso', '<', step), eb('ultimoPasso', '>', latest)])),
  )
}

/** Finds the code by its HMAC, so that the time of the look-up reveals nothing. */
const takeRecoveryCode = (
  tx: Db,
  { secrets, now }: Pick<Services, 'secrets' | 'now'>,
  idUsuario: number,
  code: string,
): Promise<boolean> => {
  const text = markText(idUsuario, code)
  return hasChanged(
    tx
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
      ),
  )
}

const leftInWords = (left: number): string =>
  left === 0 ? 'Não resta nenhum: gere códigos novos.' : left === 1 ? 'Resta 1.' : `Restam ${left}.`
