import type { Db } from '../../platform/db/open-database.ts'
import type { Audit, Write } from '../../platform/http/caller-transaction.ts'
import type { Caller } from '../../platform/http/callers/caller.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { withAttempt } from './attempt-limits.ts'
import { wrongCodeText } from './second-factor.ts'

/**
 * Runs work that checks a code of the caller's second factor, in a transaction that locks the
 * caller's row. Each attempt counts as a failure until the work succeeds; all routes with codes
 * share the limit.
 * @throws Problem 422 at `codigo` from the work (`wrongCodeProblem`); 429 over the limit
 */
export const withCountedCode = async <T>(
  { db, config, secrets, now }: Pick<Services, 'db' | 'config' | 'secrets' | 'now'>,
  { user: { idUsuario }, write }: { user: Caller; write: Write },
  work: (tx: Db, audit: Audit) => Promise<T>,
): Promise<T> => {
  const allowances = [
    { key: secrets.digest(`codigo-conta:${idUsuario}`), limit: config.signInFailures.perName },
  ]
  return withAttempt({ db, now }, { allowances, isFailure: isWrongCode }, (attempt) =>
    write.exclusive(async (tx, audit) => {
      const result = await work(tx, audit)
      await attempt.forget(tx)
      return result
    }),
  )
}

export const wrongCodeProblem = (code: string) =>
  new Problem('campos_invalidos', { campos: { codigo: wrongCodeText(code) } })

const isWrongCode = (error: unknown): boolean =>
  error instanceof Problem && error.codigo === 'campos_invalidos'
