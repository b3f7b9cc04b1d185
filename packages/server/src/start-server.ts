import { setTimeout as sleep } from 'node:timers/promises'
import type { FastifyBaseLogger } from 'fastify'
import { sql } from 'kysely'
import { createFirstAdmin, fillSkeletons } from './accounts/index.ts'
import type { AllServices } from './all-services.ts'
import { buildApp } from './app.ts'
import { createBackground } from './background.ts'
import { assertBlindIndexesMatch, createPointApi, upgradeBlindIndexes } from './clinical/index.ts'
import {
  createCapacityApi,
  createCapacityControl,
  createCapacityGate,
  createEmbedIssuer,
  createEntraTokens,
  createPowerBiApi,
  createRefreshHistories,
} from './connections/index.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { assertKeyFile, assertKeysDecrypt, startMetrics } from './operations/index.ts'
import { createAuditWriter } from './platform/audit/write-audit.ts'
import { createBrandReader, readBrand } from './platform/brand/brand.ts'
import type { Config } from './platform/config/config.ts'
import { loadSecrets, type Secrets } from './platform/config/secrets.ts'
import { blame, locateDatabase, naming, settingOf } from './platform/db/configured-database.ts'
import { migrate } from './platform/db/migrations/migrate.ts'
import type { Db, OpenDatabase } from './platform/db/open-database.ts'
import { createFileStore } from './platform/files/create-file-store.ts'
import { assertOwnFiles, RELEASE_HINT } from './platform/installation/test-environment.ts'
import { routeThroughProxy } from './platform/lib/outbound.ts'
import { createDraftApi, createPublishedApi } from './publishing/index.ts'

interface StartOptions {
  /** Logs what an operator must see, at every LOG_LEVEL. */
  log: FastifyBaseLogger
  /** The database of `openConfigured`, which opens while this module is loaded. */
  opening: Promise<OpenDatabase>
}

/**
 * Waits for the database, migrates, creates the first ADMIN if there is none, and listens.
 * @throws ConfigError naming the invalid setting; DirectoryInUse when another process holds the
 * data folder
 */
export const startServer = async (config: Config, { log, opening }: StartOptions) => {
  const db = await opening
  try {
    return await startOn(db, config, log)
  } catch (error) {
    await db.destroy().catch((err: unknown) => log.error({ err }, 'closing the database failed'))
    return locateDatabase(config)(error)
  }
}

const startOn = async (db: OpenDatabase, config: Config, log: FastifyBaseLogger) => {
  routeThroughProxy(config.outbound)
  await assertKeyFile(db, config)
    .catch(locateDatabase(config))
    .catch(blame(settingOf(config)))
  const secrets = naming('DATA_DIR', () => loadSecrets(config.appSecret, config.dataDir))
  const services = buildServices(config, db, secrets)
  // The app is built, which needs no database, while the database works.
  const preparing = alone(config, db, () => prepareDatabase(services, log))
  const [app] = await Promise.all([buildApp(services), preparing])
  const { ensaio } = await assertOwnFiles(db, config)
  if (ensaio) {
    log.warn(
      `Ambiente restaurado da cópia de ${ensaio.copiaDe}: nenhum e-mail é enviado e nenhuma cópia agendada é feita. ${RELEASE_HINT}`,
    )
  }
  // A test environment may use production's bucket, where a pending file may be in use by now.
  const ownsFiles = !(ensaio && config.s3)
  const background = createBackground(services, app.log, { ownsFiles })
  try {
    await background.startBeforeCalls()
    const url = await app.listen({ port: config.port, host: config.host }).catch(blame('HOST'))
    const metrics = await startMetrics(services)
    await background.startDuringCalls()
    if (!config.mail.smtpUrl && !ensaio) {
      log.info(`Sem SMTP_URL, os e-mails não são enviados: ficam como arquivos em ${config.mail.outbox}`)
    }
    return {
      url,
      /**
       * Drains for DRAIN_SECONDS, then closes connections, and finishes the calls in progress and
       * the background work.
       * @param stopNow ends the draining
       */
      close: async (stopNow = AbortSignal.abort()) => {
        app.draining.isOn = true
        await sleep(config.drainSeconds * 1000, undefined, { signal: stopNow }).catch(() => {})
        await app.close()
        await metrics?.close()
        await background.stop()
        await db.destroy()
      },
    }
  } catch (error) {
    await app.close().catch((err: unknown) => app.log.error({ err }, 'closing failed'))
    await background.stop().catch((err: unknown) => app.log.error({ err }, 'stopping the background failed'))
    throw error
  }
}

/**
 * Processes that start together on one PostgreSQL database prepare it one after the other. The lock
 * ends with its transaction, so it also works behind a transaction pooler. The embedded database
 * has one process and one connection.
 */
const alone = (config: Config, db: Db, work: () => Promise<void>): Promise<void> =>
  config.databaseUrl
    ? db
        .transaction()
        .execute(async (tx) => {
          // Another process may take minutes.
          await sql`set local statement_timeout = 0`.execute(tx)
          await sql`set local lock_timeout = 0`.execute(tx)
          await sql`set local idle_in_transaction_session_timeout = 0`.execute(tx)
          await sql`select pg_advisory_xact_lock(hashtextextended('bi-manager start', 0))`.execute(tx)
          await work()
        })
        .catch(blame(settingOf(config)))
    : work()

/** Migrates, checks that the keys decrypt the stored values, and creates what an empty database needs. */
const prepareDatabase = async (services: AllServices, log: FastifyBaseLogger): Promise<void> => {
  const { config, db, secrets } = services
  await migrate(db, { allowNewer: true })
    .catch(locateDatabase(config))
    .then(() => fillSkeletons(db))
    .catch(blame(settingOf(config)))
  if (config.demoSeed) await seedDemo(services, config.demoSeed)
  else {
    await assertKeysDecrypt(db, secrets)
    await upgradeBlindIndexes(db, secrets)
    await assertBlindIndexesMatch(db, secrets)
    await createFirstAdmin(services, (sentence) => log.info(sentence))
  }
}

export const buildServices = (
  config: Config,
  db: OpenDatabase,
  secrets: Secrets,
  now: () => Date = () => new Date(),
): AllServices => {
  const { addresses, timeoutMs } = config.bi
  const tokens = createEntraTokens({ addresses, timeoutMs, now })
  const powerBi = createPowerBiApi({ addresses, timeoutMs, tokens })
  const embedIssuer = createEmbedIssuer({ api: powerBi, addresses, now })
  const writeAudit = createAuditWriter(secrets, now)
  const capacityControl = createCapacityControl({
    config,
    db,
    secrets,
    writeAudit,
    powerBi,
    now,
    api: createCapacityApi({ addresses, timeoutMs, now }),
  })
  return {
    config,
    db,
    secrets,
    writeAudit,
    powerBi,
    drafts: createDraftApi({ addresses, timeoutMs, tokens }),
    published: createPublishedApi({ addresses, timeoutMs, tokens }),
    points: createPointApi({ addresses, timeoutMs, tokens }),
    embedIssuer,
    refreshHistories: createRefreshHistories({ api: powerBi, now }),
    capacityControl,
    capacityGate: createCapacityGate({ db, control: capacityControl, now }),
    files: createFileStore(config, db),
    readBrand: createBrandReader(() => readBrand(db)),
    now,
  }
}
