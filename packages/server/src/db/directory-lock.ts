import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Another process holds the data folder. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/**
 * Holds `<directory>.lock` for the life of the process: an EXCLUSIVE SQLite transaction, which is a kernel lock and so
 * ends with the process however it dies. PGlite itself has no lock, and two processes on one folder lose rows.
 * @throws DirectoryInUse
 */
export const lockDirectory = (directory: string): (() => void) => {
  // Made here so that it is private: whoever can open it can hold it.
  closeSync(openSync(`${directory}.lock`, 'a', 0o600))
  const lock = new DatabaseSync(`${directory}.lock`, { timeout: 0 })
  try {
    lock.exec('pragma journal_mode=delete; begin exclusive')
  } catch (cause) {
    lock.close()
    throw new DirectoryInUse(
      `A pasta de dados ${directory} já está em uso por outro processo do BI Manager.`,
      { cause },
    )
  }
  return () => {
    lock.exec('rollback')
    lock.close()
  }
}
