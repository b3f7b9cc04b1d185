import { Problem } from '../../platform/lib/problem.ts'
import type { Connection } from '../power-bi/connection.ts'
import { adviceFor } from '../power-bi/provider-advice.ts'

/** Ends a step of the connection test: failed (false), or nothing to test (null). */
export class TestEnd extends Error {
  override readonly name = 'TestEnd'
  readonly ok: false | null

  constructor(ok: false | null, detalhe: string) {
    super(detalhe)
    this.ok = ok
  }
}

/** @throws the error itself when it is no failure of the provider */
export const endOf = (error: unknown, connection: Connection): TestEnd =>
  error instanceof TestEnd ? error : new TestEnd(false, sentenceOf(error, connection))

/** Returns the sentence for administrators. */
export const sentenceOf = (error: unknown, connection: Connection): string => {
  if (!(error instanceof Problem)) throw error
  return adviceFor(error, connection)
}

/** Returns whether the same failure awaits every other group and report of the connection. */
export const isFinal = (error: unknown): boolean =>
  error instanceof Problem && error.codigo === 'bi_credencial_recusada'
