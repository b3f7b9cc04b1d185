/**
 * The database cannot be used as it is. The message is one Portuguese sentence that says why and what
 * to do; callers add where the database is.
 */
export class UnusableDatabase extends Error {
  override readonly name: string = 'UnusableDatabase'
}

/**
 * SQLSTATEs of a server that cannot do what any program would ask: rights, resources, its administrator's
 * triggers (P0001), its files and its state. Others are faults of a statement of the portal.
 */
const OF_THE_SERVER = /^(08|42501|53|54|55|57|58|F0|P0001|XX)/

/** Whether an error is an answer of PostgreSQL. Others, and the embedded database's, have no severity. */
export const isAnswer = (error: unknown): boolean => {
  const { code = '', severity } = Object(error) as { code?: string; severity?: unknown }
  return severity !== undefined && /^[0-9A-Z]{5}$/.test(code)
}

/** Returns the error as one sentence if the database, not a statement of the portal, is the cause. */
export const asUnusable = (error: unknown): UnusableDatabase | undefined => {
  if (error instanceof UnusableDatabase) return error
  return isAnswer(error) && OF_THE_SERVER.test((error as { code: string }).code) ? refused(error) : undefined
}

/** Returns the sentence for a refusal of the server. */
export const refused = (cause: unknown): UnusableDatabase => {
  const { code, message } = cause as { code: string; message: string }
  return new UnusableDatabase(
    `O servidor do banco de dados recusou o que o portal pediu (${code}: ${message}): confira DATABASE_URL e o que o servidor define para o banco e o papel.`,
    { cause },
  )
}

export const STANDBY =
  'O servidor do banco de dados é uma réplica, que só aceita leitura: informe o servidor primário, ou promova este.'

export const READ_ONLY =
  'O banco de dados só aceita leitura (default_transaction_read_only = on): desligue isso no servidor, no banco, no papel ou em DATABASE_URL.'
