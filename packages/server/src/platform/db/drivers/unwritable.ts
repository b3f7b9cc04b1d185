/**
 * PostgreSQL's refusals of a write that has certainly not run: 25006, the database only accepts reads;
 * 55P03, the statement waited for a locked table longer than `lock_timeout`.
 */
const READ_ONLY_TRANSACTION = '25006'
export const LOCK_WAIT = '55P03'

const codeOf = (error: unknown): unknown => (error as { code?: unknown } | null)?.code

/** Whether the database only accepts reads now. */
export const isReadOnly = (error: unknown): boolean => codeOf(error) === READ_ONLY_TRANSACTION

/** Whether the write was refused because the table cannot be written now. */
export const isUnwritable = (error: unknown): boolean => isReadOnly(error) || codeOf(error) === LOCK_WAIT
