import type { FastifyRequest } from 'fastify'
import {
  type Allowance,
  acceptBooking,
  bookAttempts,
  foldFurther,
  networkOf,
  windowSeconds,
} from '../../auth/attempt-limits.ts'
import { deviceMark } from '../../auth/known-devices.ts'
import { isPassword } from '../../auth/passwords.ts'
import { createBoundedCache } from '../../bounded-cache.ts'
import { inBatches } from '../../db/in-batches.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'
import { type Asked, findAccounts } from './sessions.repository.ts'

/** Puts a refusal on record, for good; undefined where there is no such person. */
type Refuse = (idUsuario: number | undefined, motivo: string) => Promise<unknown>

interface Attempt {
  /** As it was typed: an e-mail or a user name. */
  username: string
  password: string
  request: FastifyRequest
  refuse: Refuse
}

/** Counts what people try who are not signed in. One for all routes that take a name and a password: they share the limits. */
export const createPasswordAttempts = ({
  db,
  config,
  secrets,
  now,
}: Pick<Services, 'db' | 'config' | 'secrets' | 'now'>) => {
  // A flood of refused attempts leaves one line a window, not a flood of lines.
  const refusals = createBoundedCache<number>(10_000)
  const find = inBatches((asked: Asked[]) => findAccounts(db, asked))
  const reserve = inBatches((attempts: Allowance[][]) =>
    bookAttempts(db, attempts, now(), { isRefusalRecorded: true }),
  )
  const isFirstRefusal = (key: string): boolean => {
    const time = now().getTime()
    const last = refusals.get(key)
    if (last !== undefined && time - last < windowSeconds * 1000) return false
    refusals.set(key, time)
    return true
  }

  /**
   * For attempts whose failure the caller puts on record before it answers.
   * @throws Problem `muitas_tentativas`, put on record once a window
   */
  const book = async (allowances: Allowance[], onRefusal: () => Promise<unknown>): Promise<number[]> => {
    const booking = await reserve(allowances)
    return acceptBooking(db, booking).catch(async (error: unknown) => {
      const [{ key } = { key: '' }] = allowances
      if (isFirstRefusal(key)) await onRefusal()
      throw error
    })
  }

  /**
   * Finds the person of a name and password. The attempt stays booked as a failure, for `forgetAttempt` once it has led to
   * something. Takes the same time, and says the same, whether or not there is such a person.
   * @throws Problem 401 `credenciais_invalidas`; 429
   */
  const identify = async ({ username, password, request, refuse }: Attempt) => {
    const marca = deviceMark(request, secrets.digest)
    const marcaAntiga = deviceMark(request, secrets.earlierDigest)
    const { account: found, folded } = await find({ username, marca, marcaAntiga })
    const account = found?.situacao === 'ATIVO' ? found : undefined
    const isKnown = account?.isKnown ?? false
    const { perName, perAddress } = config.signInFailures
    // A device that the account knows has an allowance of its own, and none with its neighbours on the same address, so that
    // nobody can lock its owner out by guessing. All others count by what was typed: whether there is such a person must
    // not show in when the counting stops.
    const allowances = isKnown
      ? [{ key: secrets.digest(`dispositivo:${account?.idUsuario}:${marca}`), limit: perName }]
      : [
          { key: secrets.digest(`nome:${foldFurther(folded)}`), limit: perName },
          { key: secrets.digest(`endereco:${networkOf(request.ip)}`), limit: perAddress },
        ]
    const booking = await book(allowances, () => refuse(found?.idUsuario, 'limite de tentativas'))
    const lane = isKnown ? `dispositivo ${marca}` : networkOf(request.ip)
    const isRight = await isPassword(found?.senhaHash, password, lane)
    if (!isRight || !account?.senhaHash) {
      // To the record alone: who asks learns nothing of an account that may not be used.
      await refuse(found?.idUsuario, isRight && found ? shutOut[found.situacao] : 'credenciais')
      throw new Problem('credenciais_invalidas')
    }
    return { account: { ...account, senhaHash: account.senhaHash }, marca, isKnown, booking }
  }

  return { book, identify }
}

const shutOut = { ATIVO: 'credenciais', PENDENTE: 'conta pendente', BLOQUEADO: 'conta bloqueada' } as const

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>
