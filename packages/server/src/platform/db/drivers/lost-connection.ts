/**
 * PostgreSQL's connection exceptions (class 08), its shutdown (57P), and network error codes.
 * https://www.postgresql.org/docs/current/errcodes-appendix.html
 */
const LOST = /^(08|57P|ECONN|EPIPE|ENOTFOUND|ETIMEDOUT|EHOST|ENET|EAI_)/

/** Errors of pg without a code. */
const LOST_MESSAGE =
  /^(timeout exceeded when trying to connect|Connection terminated|Client has encountered a connection error|Query read timeout)/

/** Returns whether the connection to PostgreSQL failed. The statement may or may not have run. */
export const isConnectionLost = (error: unknown): boolean => {
  const { code, message } = error as { code?: unknown; message?: unknown }
  return LOST.test(String(code ?? '')) || LOST_MESSAGE.test(String(message ?? ''))
}

/**
 * Errors for a prepared statement that is no longer valid: the table has a new column (0A000), or a
 * pooler gave the connection another session (26000, 42P05).
 */
export const STALE = ['0A000', '26000', '42P05']
