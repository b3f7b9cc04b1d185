import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { type Allowance, type Attempt, foldName, withAttempt } from '../credentials/attempt-limits.ts'
import { hashPassword, verifyPassword } from '../credentials/passwords.ts'
import { createRefusalWindows } from '../credentials/refusal-windows.ts'
import { rolesAllowedFrom } from '../security-settings/sign-in-networks.ts'
import { deviceMark } from '../sessions/known-devices.ts'
import { findAccount } from './sign-in.repository.ts'

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>['account']> & { senhaHash: string }

interface PasswordAttempt {
  /** An e-mail or a user name, as typed. */
  username: string
  password: string
  request: FastifyRequest
  /** Records a refusal in the audit trail; `idUsuario` is undefined for an unknown user. */
  refuse: (idUsuario: number | undefined, motivo: string) => Promise<unknown>
  /**
   * Returns whether the work failed because of a wrong secret: the attempt then counts as failed.
   */
  isFailure: (error: unknown) => boolean
}

/**
 * Creates a function that checks a name and password, and then runs work for their account. The
 * caller has no session, so answer and duration are the same whether or not the user exists. The
 * work must forget the attempt when it succeeds.
 * @throws Problem 401 `credenciais_invalidas`; 403 `rede_nao_permitida`; 429, audited once per
 * window
 */
export const createPasswordAttempts = (services: Pick<Services, 'db' | 'config' | 'secrets' | 'now'>) => {
  const { db, config, secrets, now } = services
  const { perName, perAddress } = config.signInFailures
  const isFirstRefusal = createRefusalWindows(now)

  return async <T>(
    { username, password, request, refuse, isFailure }: PasswordAttempt,
    work: (account: Account, attempt: Attempt) => Promise<T>,
  ): Promise<T> => {
    const roles = await rolesAllowedFrom(db, config, request.ip)
    if (roles.size === 0) {
      if (isFirstRefusal(`rede:${networkOf(request.ip)}`)) await refuse(undefined, 'rede não permitida')
      throw new Problem('rede_nao_permitida')
    }
    const marca = deviceMark(request, secrets.digest)
    const marcaAntiga = deviceMark(request, secrets.earlierDigest)
    const { account: found, folded } = await findAccount(db, { username, marca, marcaAntiga })
    const account = found?.isActive ? found : undefined
    const network = networkOf(request.ip)
    // A known device has its own limit and does not share its address's, so that guessing cannot
    // lock the owner out. Other attempts count by the typed name: the limit must not reveal whether
    // the user exists.
    const allowances = account?.isKnown
      ? [{ key: secrets.digest(`dispositivo:${account.idUsuario}:${marca}`), limit: perName }]
      : [
          { key: secrets.digest(`nome:${foldName(folded)}`), limit: perName },
          { key: secrets.digest(`endereco:${network}`), limit: perAddress },
        ]
    const onRefusal = async ({ key }: Allowance) =>
      isFirstRefusal(key) && refuse(found?.idUsuario, 'limite de tentativas')
    const booking = { allowances, isFailure, isRefusalRecorded: true, onRefusal }
    return withAttempt(services, booking, async (attempt) => {
      // Passwords are verified in turn by lane, so that a flood does not delay other networks.
      const lane = account?.isKnown ? `dispositivo ${marca}` : network
      const verified = await verifyPassword(found?.senhaHash, password, lane)
      const isRight = verified !== 'wrong'
      if (!isRight || !account?.senhaHash) {
        // The reason goes to the audit trail only: the answer must not reveal that the account is
        // blocked.
        await refuse(found?.idUsuario, isRight && found ? reasonOf(found) : 'credenciais')
        throw new Problem('credenciais_invalidas')
      }
      if (!roles.has(account.tipoUsuario)) {
        await refuse(account.idUsuario, 'rede não permitida')
        throw new Problem('rede_nao_permitida')
      }
      const { idUsuario, senhaHash } = account
      const result = await work({ ...account, senhaHash }, attempt)
      if (verified === 'right as typed') await renewHash(db, { idUsuario, senhaHash }, password)
      return result
    })
  }
}

/** Replaces a hash that an earlier version made, if the account still has that hash. */
const renewHash = async (
  db: Db,
  { idUsuario, senhaHash: old }: { idUsuario: number; senhaHash: string },
  password: string,
): Promise<void> => {
  await db
    .updateTable('usuario')
    .set({ senhaHash: await hashPassword(password) })
    .where('idUsuario', '=', idUsuario)
    .where('senhaHash', '=', old)
    .execute()
}

/** Returns why a correct password opens no session, for the audit trail. */
const reasonOf = ({ situacao, isCurrent }: Pick<Account, 'situacao' | 'isCurrent'>): string =>
  isCurrent ? refusalReasons[situacao] : 'conta vencida'

const refusalReasons = {
  ATIVO: 'credenciais',
  PENDENTE: 'conta pendente',
  BLOQUEADO: 'conta bloqueada',
} as const

export type PasswordAttempts = ReturnType<typeof createPasswordAttempts>
