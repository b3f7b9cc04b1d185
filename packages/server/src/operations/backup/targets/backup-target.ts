import type { Readable } from 'node:stream'

export interface Written {
  bytes: number
  sha256: string
}

/** A place for encrypted backups. Names below are those of `nameOf`. */
export interface BackupTarget {
  /** For messages: the folder or the bucket, without credentials. */
  place: string
  /** Free bytes; undefined when the target cannot tell. */
  freeBytes: () => Promise<number | undefined>
  /** Writes a backup, hidden until `commit`. Deletes what an earlier run has left. */
  write: (name: string, bytes: Readable) => Promise<Written>
  /** Reads a backup back, committed or not. */
  read: (name: string) => Promise<Readable>
  commit: (name: string) => Promise<void>
  /** Deletes a backup, committed or not. */
  remove: (name: string) => Promise<void>
  /** Names of the committed backups, of this installation and others. */
  list: () => Promise<string[]>
}

const pattern = /^bi-manager-([\da-f]{8})-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z\.tar\.age$/

/** @example bi-manager-1f0c3a9e-20261121T060000Z.tar.age */
export const nameOf = (installation: string, at: Date): string =>
  `bi-manager-${installation.slice(0, 8)}-${at.toISOString().replace(/[-:]|\.\d+/g, '')}.tar.age`

/** Returns when the backup was made; undefined for another installation or another file. */
export const momentOf = (installation: string, name: string): Date | undefined => {
  const [, id, year, month, day, hour, minute, second] = pattern.exec(name) ?? []
  if (id !== installation.slice(0, 8)) return undefined
  return new Date(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`)
}
