import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import type { Db } from '../db/open-database.ts'
import { createPasswordThreads } from './password-threads.ts'

// OWASP's first choice for Argon2id, the library's default variant: 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** @returns the encoded Argon2id hash, with its salt and parameters */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** A hash of a random text, so that an unknown name takes as long as a known one. */
const decoy = hashPassword(crypto.randomUUID())

const verify = createPasswordThreads(Math.min(4, availableParallelism()))

/**
 * Verifies a password. Takes the same time when the user or the password does not exist.
 * @param lane such as the caller's network: lanes are served in turn
 */
export const isPassword = async (
  senhaHash: string | null | undefined,
  password: string,
  lane = '',
): Promise<boolean> => {
  const matches = await verify(lane, { encoded: senhaHash ?? (await decoy), password })
  return matches && senhaHash != null
}

/** Returns null when the user has no password or does not exist. */
export const passwordHashOf = async (db: Db, idUsuario: number): Promise<string | null> => {
  const row = await db
    .selectFrom('usuario')
    .select('senhaHash')
    .where('idUsuario', '=', idUsuario)
    .executeTakeFirst()
  return row?.senhaHash ?? null
}
