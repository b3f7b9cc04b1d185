import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import type { Db } from '../../platform/db/open-database.ts'
import { createPasswordThreads } from './password-threads.ts'

// OWASP's first choice for Argon2id, the library's default variant: 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** Keyboards and systems write one letter as different code points, such as é as e and an accent. */
const normalized = (password: string): string => password.normalize('NFKC')

/** @returns the encoded Argon2id hash of the normalized password, with its salt and parameters */
export const hashPassword = (password: string): Promise<string> => hash(normalized(password), parameters)

/** A hash of a random text, so that an unknown name takes as long as a known one. */
const decoy = hashPassword(crypto.randomUUID())

const verify = createPasswordThreads(Math.min(4, availableParallelism()))

/**
 * Verifies a password. Takes the same time when the user or the password does not exist.
 * @param lane such as the caller's network: lanes are served in turn
 * @returns 'right as typed' for a hash of an earlier version, which did not normalize: it should be
 * replaced by `hashPassword`
 */
export const verifyPassword = async (
  senhaHash: string | null | undefined,
  password: string,
  lane = '',
): Promise<'right' | 'right as typed' | 'wrong'> => {
  const encoded = senhaHash ?? (await decoy)
  const texts = [...new Set([normalized(password), password])]
  const [asNormalized, asTyped] = await Promise.all(
    texts.map((text) => verify(lane, { encoded, password: text })),
  )
  if (senhaHash == null) return 'wrong'
  if (asNormalized) return 'right'
  return asTyped ? 'right as typed' : 'wrong'
}

/** @see verifyPassword */
export const isPassword = async (...given: Parameters<typeof verifyPassword>): Promise<boolean> =>
  (await verifyPassword(...given)) !== 'wrong'

/** Returns null when the user has no password or does not exist. */
export const passwordHashOf = async (db: Db, idUsuario: number): Promise<string | null> => {
  const row = await db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return row?.senhaHash ?? null
}
