/**
 * The database cannot be used as it is. The message is one Portuguese sentence that says why and what
 * to do; callers add where the database is.
 */
export class UnusableDatabase extends Error {
  override readonly name: string = 'UnusableDatabase'
}

export const STANDBY =
  'O servidor do banco de dados é uma réplica, que só aceita leitura: informe o servidor primário, ou promova este.'

export const READ_ONLY =
  'O banco de dados só aceita leitura (default_transaction_read_only = on): desligue isso no servidor, no banco, no papel ou em DATABASE_URL.'
