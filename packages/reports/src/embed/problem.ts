import type { IError } from 'powerbi-models'

/** An error as it travels to the embedder: an HTTP-like status and Power BI's error body. */
export class EmbedProblem extends Error {
  readonly status: number
  readonly body: IError

  constructor(status: number, body: IError) {
    super(body.detailedMessage ?? body.message)
    this.status = status
    this.body = body
  }
}

/** `code` is what programs read (Power BI puts it in `message`); `detail` is a Portuguese sentence. */
export function problem(status: number, code: string, detail: string): EmbedProblem {
  return new EmbedProblem(status, {
    message: code,
    detailedMessage: detail,
    errorCode: code,
    level: code === 'TokenExpired' ? FATAL : ERROR,
  })
}

/** What this service does not do, in Microsoft's shape. */
export const notImplemented = (what: string) =>
  new EmbedProblem(501, { message: 'NotImplemented', detailedMessage: what, errorCode: '501' })

export function asProblem(cause: unknown): EmbedProblem {
  if (cause instanceof EmbedProblem) return cause
  console.error(cause)
  return problem(500, 'InternalError', 'Ocorreu um erro inesperado ao exibir o relatório.')
}

export const isExpired = (cause: unknown) =>
  cause instanceof EmbedProblem && cause.body.message === 'TokenExpired'

/** The report, or the page that was asked for. */
export const isGone = (cause: unknown) => cause instanceof EmbedProblem && cause.status === 404

/** The same, for what leaves nothing on the screen: an embedder tells it from what the page itself offers to retry. */
export const fatal = ({ body }: EmbedProblem): IError => ({ ...body, level: FATAL })

/** powerbi-models' TraceType; its run-time form would cost 14 KB. */
const ERROR = 3
const FATAL = 6
