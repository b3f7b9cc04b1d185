import { rebuildBlindIndexes } from '../../clinical/index.ts'
import { createAuditWriter } from '../../platform/audit/write-audit.ts'
import { withDatabase } from '../../platform/commands/command.ts'
import type { Config } from '../../platform/config/config.ts'
import { beginKeyRotation, endKeyRotation } from '../../platform/config/key-file.ts'
import { loadSecrets, type Secrets } from '../../platform/config/secrets.ts'
import { migrate } from '../../platform/db/migrations/migrate.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { countText } from '../../platform/lib/count-text.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { assertKeyFile } from './assert-key-file.ts'
import { assertKeysDecrypt, countEncrypted, type EncryptedCount, inWords } from './encrypted-columns.ts'
import { discardLost, reencryptAll } from './reencrypt.ts'

type RotationConfig = Pick<Config, 'appSecret' | 'dataDir' | 'databaseUrl'>
type Tell = (sentence: string) => void

interface RotationOptions {
  /** Only reports which key seals what. */
  check?: boolean
  /** Discards what was encrypted with a lost key. */
  discardLost?: boolean
  /** Ends every session: for a leaked key. */
  endSessions?: boolean
}

/**
 * Rotates the installation's key: adds one to the key file (with APP_SECRET, the operator has added
 * it), and re-encrypts with it the values of earlier keys. May be killed at any moment and run again.
 * @param tell receives one Portuguese sentence per call
 * @returns whether everything is encrypted with the current key
 * @throws ConfigError when a key is missing; DirectoryInUse while a server holds the embedded
 * database
 */
export const rotateSecrets = (config: RotationConfig, options: RotationOptions, tell: Tell) =>
  withDatabase(config, tell, (db) => rotateIn(db, config, options, tell))

/** Does the same on an open database. */
export const rotateIn = async (
  db: Db,
  config: RotationConfig,
  options: RotationOptions,
  tell: Tell,
): Promise<boolean> => {
  const { appSecret, dataDir } = config
  await migrate(db)
  if (!options.discardLost) await assertKeyFile(db, config)
  const before = loadSecrets(appSecret, dataDir)
  if (options.check) return await printCounts(db, before, tell)
  const discarded = options.discardLost ? await discardLost(db, before) : []
  for (const count of discarded) tell(`Descartado, porque a chave se perdeu: ${inWords(count)}.`)
  await assertKeysDecrypt(db, before)

  if (!appSecret) beginKeyRotation(dataDir)
  const secrets = loadSecrets(appSecret, dataDir)
  const [current] = secrets.encryptionKeyIds
  const { done, broken } = await reencryptAll(db, secrets)
  for (const count of done) tell(`Cifrado de novo com a chave ${current}: ${inWords(count)}.`)
  const marked = await rebuildBlindIndexes(db, secrets)
  if (marked > 0)
    tell(
      `Marcas de busca feitas com a chave mais antiga da lista: ${countText(marked, 'beneficiário', 'beneficiários')}.`,
    )
  for (const { column, id } of broken) tell(`Não se abre, e ficou como estava: ${column.one} ${id}.`)
  const ended = options.endSessions ? await endAllSessions(db) : undefined
  if (ended !== undefined) tell(`Sessões encerradas: ${ended}.`)
  await record(db, secrets, { done, discarded, ended })
  if (!appSecret) endKeyRotation(dataDir)
  tell(
    done.length > 0 ? `A chave atual é a ${current}.` : `Nada mais a cifrar: a chave atual é a ${current}.`,
  )
  // The last line, so that it is not lost above the counts.
  if (!appSecret && config.databaseUrl) tell(RESTART_FIRST)
  return broken.length === 0
}

const RESTART_FIRST =
  'Reinicie antes de tudo os processos do portal que estão no ar: eles só leem o arquivo de chaves ao iniciar, e até lá não abrem o que foi cifrado agora.'

type Counts = Pick<EncryptedCount, 'column' | 'total'>[]

const endAllSessions = (db: Db): Promise<number> =>
  inTransaction(db, async (tx) => {
    // As in accounts/sessions/end-sessions.ts, for every user.
    await tx.selectFrom('usuario').select('idUsuario').orderBy('idUsuario').forUpdate().execute()
    const { numUpdatedRows } = await tx
      .updateTable('sessao')
      .set({ encerradaEm: new Date() })
      .where('encerradaEm', 'is', null)
      .executeTakeFirst()
    await tx.deleteFrom('telaoTela').execute()
    await tx.deleteFrom('convidadoVisita').execute()
    await tx.deleteFrom('convidadoLink').execute()
    await tx.deleteFrom('chaveApi').execute()
    return Number(numUpdatedRows)
  })

interface Outcome {
  done: Counts
  discarded: Counts
  ended: number | undefined
}

/** Records the rotation once per key, and again when a later run changed something. */
const record = async (db: Db, secrets: Secrets, { done, discarded, ended }: Outcome) => {
  const [current] = secrets.encryptionKeyIds
  const subject = `chave:${current}`
  const known = await db
    .selectFrom('auditoria')
    .select('idAuditoria')
    .where('acao', '=', 'secrets.rotated')
    .where('objeto', '=', subject)
    .executeTakeFirst()
  if (known && done.length + discarded.length === 0 && ended === undefined) return
  const said = (counts: Counts) => {
    const totals: Record<string, number> = {}
    for (const { column, total } of counts) totals[column.table] = (totals[column.table] ?? 0) + total
    return totals
  }
  const details = {
    cifrados: said(done),
    ...(discarded.length > 0 ? { descartados: said(discarded) } : {}),
    ...(ended === undefined ? {} : { sessoesEncerradas: ended }),
  }
  const writeAudit = createAuditWriter(secrets, () => new Date())
  await inTransaction(db, async (tx) => {
    await writeAudit(tx, { action: 'secrets.rotated', idUsuario: null, subject, details })
    const texto = `Um comando no servidor trocou a chave dos segredos. A atual é a ${current}.`
    const bell = { titulo: 'Chave da instalação trocada', texto }
    await notify(tx, { audience: 'guardioes', kind: 'seguranca_alterada', bell }, new Date())
  })
}

const printCounts = async (db: Db, { encryptionKeyIds }: Secrets, tell: Tell): Promise<boolean> => {
  const counts = await countEncrypted(db)
  for (const count of counts) {
    const at = encryptionKeyIds.indexOf(count.keyId)
    const which = at === 0 ? 'a chave atual' : at > 0 ? 'uma chave anterior' : 'uma chave que falta'
    tell(`${inWords(count)}: com ${which} (${count.keyId}).`)
  }
  const isCurrent = counts.every(({ keyId }) => keyId === encryptionKeyIds[0])
  tell(isCurrent ? 'Tudo está cifrado com a chave atual.' : 'Nem tudo está cifrado com a chave atual.')
  return isCurrent
}
