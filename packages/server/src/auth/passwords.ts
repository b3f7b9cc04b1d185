import { hash, verify } from '@node-rs/argon2'

// OWASP's first choice for Argon2id (the library's own default kind): 19 MiB, two passes, one lane.
const parameters = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }

/** @returns the encoded Argon2id hash, with its salt and parameters */
export const hashPassword = (password: string): Promise<string> => hash(password, parameters)

/** A hash of nothing anybody can type, so that an unknown name costs the same time as a known one. */
const decoy = hashPassword(crypto.randomUUID())

/** Whether the password is the person's. Takes the same time when there is no such person or no password yet. */
export const isPassword = async (
  senhaHash: string | null | undefined,
  password: string,
): Promise<boolean> => {
  const matches = await verify(senhaHash ?? (await decoy), password)
  return matches && senhaHash != null
}
