import { availableParallelism } from 'node:os'
import { hash } from '@node-rs/argon2'
import { createPasswordThreads } from './password-threads.ts'

// OWASP's first choice for Argon2id (the library's own default kind): 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** @returns the encoded Argon2id hash, with its salt and parameters */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** A hash of nothing anybody can type, so that an unknown name costs the same time as a known one. */
const decoy = hashPassword(crypto.randomUUID())

const verify = createPasswordThreads(Math.min(4, availableParallelism()))

/**
 * Whether the password is the person's. Takes the same time when there is no such person or no password yet.
 * @param lane whose it is, such as a network: lanes take turns
 */
export const isPassword = async (
  senhaHash: string | null | undefined,
  password: string,
  lane = '',
): Promise<boolean> => {
  const matches = await verify(lane, { encoded: senhaHash ?? (await decoy), password })
  return matches && senhaHash != null
}
