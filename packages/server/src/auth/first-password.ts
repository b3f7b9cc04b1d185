import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { Config } from '../config.ts'
import { writeWhole } from '../keys/key-file.ts'

/* The generated password of the first ADMIN: in a file that only the operator reads, until the ADMIN replaces it. */

const fileOf = ({ dataDir }: Pick<Config, 'dataDir'>, idUsuario: number): string =>
  join(dataDir, `first-password-of-user-${idUsuario}.txt`)

/** @returns the file's path */
export const keepFirstPassword = (
  config: Pick<Config, 'dataDir'>,
  { idUsuario, emailUsuario, password }: { idUsuario: number; emailUsuario: string; password: string },
): string => {
  mkdirSync(config.dataDir, { recursive: true, mode: 0o700 })
  const file = fileOf(config, idUsuario)
  writeWhole(file, `E-mail: ${emailUsuario}\nSenha: ${password}\n`)
  return file
}

/** Called once the new password is safely stored: until then, the file holds the only one that works. */
export const dropFirstPassword = (config: Pick<Config, 'dataDir'>, idUsuario: number): void =>
  rmSync(fileOf(config, idUsuario), { force: true })
