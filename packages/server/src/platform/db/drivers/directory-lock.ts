import { closeSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'

/** Another process holds the data folder. */
export class DirectoryInUse extends Error {
  override readonly name = 'DirectoryInUse'
}

/**
 * Holds `<directory>.lock` for the life of the process: an EXCLUSIVE SQLite transaction, thus a
 * kernel lock that also ends when the process is killed. PGlite has no lock, and two processes on
 * one folder lose rows.
 * @throws DirectoryInUse
 */
export const lockDirectory = (directory: string): (() => void) => {
  // Created here with mode 0600: any user who can open the file can hold the lock.
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
