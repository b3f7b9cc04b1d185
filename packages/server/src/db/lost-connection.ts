/**
 * PostgreSQL's connection exceptions (class 08), its shutdown (57P), and the network's own codes.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const LOST = /^(08|57P|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_)/

/** Errors of pg that carry no code. */
const LOST_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/

/**
 * Whether the connection to PostgreSQL was lost, or could not be opened. What was sent may or may
 * not have been done.
 */
export const isConnectionLost = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return LOST.test(String(code ?? '')) || LOST_MESSAGE.test(String(message ?? ''))
}
