import type { IError } from 'powerbi-models'

/** An error for the embedder: an HTTP-like status and Power BI's error body. */
export class EmbedProblem extends Error {
  readonly status: number
  readonly body: IError

  constructor(status: number, body: IError) {
    super(body.detailedMessage ?? body.message)
    this.status = status
    this.body = body
  }
}

/** `code` is for programs (Power BI puts it in `message`); `detail` is a Portuguese sentence. */
export const problem = (status: number, code: string, detail: string): EmbedProblem => {
  return new EmbedProblem(status, {
    message: code,
    detailedMessage: detail,
    errorCode: code,
    level: code === 'TokenExpired' ? FATAL : ERROR,
  })
}

/** Returns a 501 in Microsoft's shape, for what this service does not support. */
export const notImplemented = (what: string) =>
  new EmbedProblem(501, { message: 'NotImplemented', detailedMessage: what, errorCode: '501' })

export const asProblem = (cause: unknown): EmbedProblem => {
  if (cause instanceof EmbedProblem) return cause
  console.error(cause)
  return problem(500, 'InternalError', 'Ocorreu um erro inesperado ao exibir o relatório.')
}

export const isExpired = (cause: unknown) =>
  cause instanceof EmbedProblem && cause.body.message === 'TokenExpired'

/** Whether the report or the requested page no longer exists. */
export const isGone = (cause: unknown) => cause instanceof EmbedProblem && cause.status === 404

/**
 * Marks an error as fatal: nothing is drawn, so the embedder must handle it. Other errors are shown
 * in the page, which offers a retry.
 */
export const asFatal = ({ body }: EmbedProblem): IError => ({ ...body, level: FATAL })

/** TraceType of powerbi-models; importing it at run time would add 14 KB. */
const ERROR = 3
const FATAL = 6
