import { createAuditWriter } from '../../../platform/audit/write-audit.ts'
import { CommandError, withDatabase } from '../../../platform/commands/command.ts'
import type { Config } from '../../../platform/config/config.ts'
import { loadSecrets } from '../../../platform/config/secrets.ts'
import { assertWritable, readRights } from '../../../platform/db/migrations/database-rights.ts'
import type { Db } from '../../../platform/db/open-database.ts'
import { inTransaction } from '../../../platform/db/transactions/in-transaction.ts'
import { readDataFolderMark } from '../../../platform/installation/data-folder-mark.ts'
import {
  markDataFolder,
  RELEASE_HINT,
  readInstallation,
  releaseEnvironment,
  setTestRestore,
} from '../../../platform/installation/test-environment.ts'
import { assertKeyFile } from '../../keys/assert-key-file.ts'

type Tell = (sentence: string) => void

/** Turns a restored test environment into production, at the operator's command. */
export const releaseRestored = (config: Config, tell: Tell): Promise<void> =>
  withDatabase(config, tell, async (db) => {
    assertWritable(await readRights(db))
    const writeAudit = await recordAuditOf(db, config)
    const wasTest = await inTransaction(db, (tx) => releaseEnvironment(tx, writeAudit, { idUsuario: null }))
    await markDataFolder(db, config)
    tell(
      wasTest
        ? 'Este é agora o ambiente de produção: os e-mails retidos saem, e as cópias agendadas voltam.'
        : 'Este já era o ambiente de produção: nada mudou.',
    )
  })

/**
 * Turns a database recovered without `npm run restore`, such as by PostgreSQL's own tools, into a
 * test environment.
 * @throws CommandError when the data folder is production's
 */
export const holdRestored = (config: Config, tell: Tell): Promise<void> =>
  withDatabase(config, tell, async (db) => {
    assertWritable(await readRights(db))
    const { id, ensaio } = await readInstallation(db)
    const mark = readDataFolderMark(config.dataDir)
    if (!ensaio && mark?.instalacao === id && !mark.ensaio) {
      throw new CommandError(`A pasta ${config.dataDir} é a da produção: um ensaio usa outra, em DATA_DIR.`)
    }
    const now = new Date().toISOString()
    const writeAudit = await recordAuditOf(db, config)
    await inTransaction(db, async (tx) => {
      await setTestRestore(tx, ensaio ?? { restauradaEm: now, copiaDe: now, bucket: null })
      await writeAudit(tx, { action: 'environment.held', idUsuario: null })
    })
    await markDataFolder(db, config)
    tell(
      `Este é agora um ambiente de ensaio: nenhum e-mail é enviado e nenhuma cópia agendada é feita. ${RELEASE_HINT}`,
    )
  })

const recordAuditOf = async (db: Db, config: Config) => {
  await assertKeyFile(db, config)
  return createAuditWriter(loadSecrets(config.appSecret, config.dataDir), () => new Date())
}
