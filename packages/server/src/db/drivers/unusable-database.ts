/**
 * The database cannot be used as it is. The message is one Portuguese sentence that says why and what
 * to do; callers add where the database is.
 */
export class UnusableDatabase extends Error {
  override readonly name: string = 'UnusableDatabase'
}
