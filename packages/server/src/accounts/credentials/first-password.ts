import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../../platform/config/config.ts'
import { writeWhole } from '../../platform/config/key-file.ts'

/* The first ADMIN's generated password, in a file that only the operator can read, until the
   ADMIN replaces it. */

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>, idUsuario: number): string =>
  join(dataDir, `first-password-of-user-${idUsuario}.txt`)

/** @returns the file's path */
export const writeFirstPassword = (
  config: Pick<Config, 'dataDir'>,
  { idUsuario, emailUsuario, password }: { idUsuario: number; emailUsuario: string; password: string },
): string => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = fileOf(config, idUsuario)
  writeWhole(file, `E-mail: ${emailUsuario}\nSenha: ${password}\n`)
  return file
}

/**
 * Deletes the file. Call it after the new password is committed: until then the file has the only
 * valid one.
 */
export const deleteFirstPassword = (config: Pick<Config, 'dataDir'>, idUsuario: number): void =>
  rmSync(fileOf(config, idUsuario), { force: true })
