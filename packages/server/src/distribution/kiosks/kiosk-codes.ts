import { randomBytes, randomInt } from 'node:crypto'
import { KIOSK_CODE_LENGTH, KIOSK_CODE_LETTERS } from '@bi-manager/contract'
import type { Secrets } from '../../platform/config/secrets.ts'

/** Returns a random code, without its hyphen: 20^8 codes, of which at most a thousand are valid. */
export const newCode = (): string =>
  Array.from({ length: KIOSK_CODE_LENGTH }, () =>
    KIOSK_CODE_LETTERS.charAt(randomInt(KIOSK_CODE_LETTERS.length)),
  ).join('')

/** Returns a screen's credential: 256 random bits. */
export const newCredential = (): string => `telao_${randomBytes(32).toString('base64url')}`

/** Returns the digest by which the database knows a code. */
export const markOfCode = ({ digest }: Pick<Secrets, 'digest'>, code: string): string =>
  digest(`telao-codigo:${code}`)
