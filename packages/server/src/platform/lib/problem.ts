import { type ProblemCode, problems } from '@bi-manager/contract'

interface ProblemOptions {
  /** Field → Portuguese message, for 422. */
  campos?: Record<string, string>
  /** Seconds, sent as Retry-After. */
  retryAfter?: number
  /** Replaces the table's sentence when it needs a number or a name. */
  detail?: string
  cause?: unknown
}

/** An error that the API answers on purpose. Status and text are in the contract's table. */
export class Problem extends Error {
  override readonly name = 'Problem'
  readonly codigo: ProblemCode
  readonly status: number
  readonly title: string
  readonly campos: Record<string, string> | undefined
  readonly retryAfter: number | undefined

  constructor(codigo: ProblemCode, { campos, retryAfter, detail, cause }: ProblemOptions = {}) {
    const entry = problems[codigo]
    super(detail ?? entry.detail, { cause })
    this.codigo = codigo
    this.status = entry.status
    this.title = entry.title
    this.campos = campos
    this.retryAfter = retryAfter
  }
}

/** @throws Problem 404 when there is no such value */
export const orNotFound = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Problem('nao_encontrado')
  return value
}
