import type { FastifyRequest } from 'fastify'
import {
  type Allowance,
  acceptBooking,
  bookAttempts,
  foldName,
  windowSeconds,
} from '../../auth/attempt-limits.ts'
import { deviceMark } from '../../auth/known-devices.ts'
import { isPassword } from '../../auth/passwords.ts'
import { inBatches } from '../../db/in-batches.ts'
import { networkOf } from '../../http/network-of.ts'
import type { Services } from '../../http/services.ts'
import { createBoundedCache } from '../../lib/bounded-cache.ts'
import { Problem } from '../../lib/problem.ts'
import { findAccounts, type SignInName } from './sign-in.repository.ts'

/** Records a refusal in the audit trail; `idUsuario` is undefined for an unknown user. */
type Refuse = (idUsuario: number | undefined, motivo: string) => Promise<unknown>

interface Attempt {
  /** An e-mail or a user name, as typed. */
  username: string
  password: string
  request: FastifyRequest
  refuse: Refuse
}

/**
 * Counts attempts of unauthenticated callers. All routes that take a name and a password must share
 * one instance, and so the limits.
 */
export const createPasswordAttempts = ({
  db,
  config,
  secrets,
  now,
}: Pick<Services, 'db' | 'config' | 'secrets' | 'now'>) => {
  // A flood of refused attempts writes one audit line per window.
  const refusals = createBoundedCache<number>(10_000)
  const find = inBatches((asked: SignInName[]) => findAccounts(db, asked))
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
   * Books an attempt. The caller must audit its failure before it answers.
   * @throws Problem 429 `muitas_tentativas`, audited once per window
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
   * Returns the account for a name and password. The attempt stays booked as a failure until
   * `forgetAttempt`. Answer and duration are the same whether or not the user exists.
   * @throws Problem 401 `credenciais_invalidas`; 429
   */
  const identify = async ({ username, password, request, refuse }: Attempt) => {
    const marca = deviceMark(request, secrets.digest)
    const marcaAntiga = deviceMark(request, secrets.earlierDigest)
    const { account: found, folded } = await find({ username, marca, marcaAntiga })
    const account = found?.situacao === 'ATIVO' ? found : undefined
    const isKnown = account?.isKnown ?? false
    const { perName, perAddress } = config.signInFailures
    // A known device has its own limit and does not share its address's, so that guessing cannot
    // lock the owner out. Other attempts count by the typed name: the limit must not reveal whether
    // the user exists.
    const allowances = isKnown
      ? [{ key: secrets.digest(`dispositivo:${account?.idUsuario}:${marca}`), limit: perName }]
      : [
          { key: secrets.digest(`nome:${foldName(folded)}`), limit: perName },
          { key: secrets.digest(`endereco:${networkOf(request.ip)}`), limit: perAddress },
        ]
    const booking = await book(allowances, () => refuse(found?.idUsuario, 'limite de tentativas'))
    const lane = isKnown ? `dispositivo ${marca}` : networkOf(request.ip)
    const isRight = await isPassword(found?.senhaHash, password, lane)
    if (!isRight || !account?.senhaHash) {
      // The reason goes to the audit trail only: the answer must not reveal that the account is
      // blocked.
      await refuse(found?.idUsuario, isRight && found ? shutOut[found.situacao] : 'credenciais')
      throw new Problem('credenciais_invalidas')
    }
    return { account: { ...account, senhaHash: account.senhaHash }, marca, isKnown, booking }
  }

  return { book, identify }
}

const shutOut = { ATIVO: 'credenciais', PENDENTE: 'conta pendente', BLOQUEADO: 'conta bloqueada' } as const

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>
