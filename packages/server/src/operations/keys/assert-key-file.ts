import { existsSync } from 'node:fs'
import { sql } from 'kysely'
import { type Config, ConfigError } from '../../platform/config/config.ts'
import { keyFileOf } from '../../platform/config/key-file.ts'
import type { Db } from '../../platform/db/open-database.ts'

/**
 * Refuses a missing key file for a database that has people, before `loadSecrets` makes a new one: it
 * was used with a key, and a new file would hide from the operator that it is lost.
 * @throws ConfigError
 */
export const assertKeyFile = async (
  db: Db,
  { appSecret, dataDir }: Pick<Config, 'appSecret' | 'dataDir'>,
): Promise<void> => {
  const file = keyFileOf(dataDir)
  if (appSecret === undefined && !existsSync(file) && (await hasPeople(db))) {
    throw new ConfigError(
      `O arquivo de chaves ${file} não existe, e este banco já tem dados cifrados ou assinados com ele. Restaure a cópia do arquivo, ou informe APP_SECRET. Se a chave se perdeu, rode "npm run secrets:rotate -- --discard-lost", que descarta o que não se abre mais.`,
    )
  }
}

const hasPeople = async (db: Db): Promise<boolean> => {
  const { rows: tables } = await sql`select where to_regclass('usuario') is not null`.execute(db)
  if (tables.length === 0) return false
  const { rows: people } = await sql`select from usuario limit 1`.execute(db)
  return people.length > 0
}
