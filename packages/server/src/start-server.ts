import { buildApp } from './app.ts'
import { createEmbedIssuer } from './bi/embed-issuer.ts'
import { createEntraTokens } from './bi/entra-tokens.ts'
import { createPowerBiApi } from './bi/power-bi-api.ts'
import type { Config } from './config.ts'
import { migrate } from './db/migrate.ts'
import { type Db, openDatabase } from './db/open-database.ts'
import { seedDemo } from './demo/seed-demo.ts'
import { createFirstAdmin } from './features/users/first-admin.ts'
import type { Services } from './http/services.ts'
import { loadSecrets } from './secrets.ts'

export interface RunningServer {
  url: string
  close: () => Promise<void>
}

/**
 * Opens the database, migrates, creates the first ADMIN where there is none, and listens.
 * @throws DirectoryInUse when another process holds the data folder; Error as the database or the socket gives it
 */
export const startServer = async (config: Config): Promise<RunningServer> => {
  const secrets = loadSecrets(config.appSecret, config.dataDir)
  const db = await openDatabase({
    dataDir: config.dataDir,
    databaseUrl: config.databaseUrl,
    onError: (error) => console.error(`A conexão com o banco de dados caiu: ${error.message}`),
  })
  try {
    await migrate(db)
    const services = buildServices(config, db, secrets)
    if (config.demoSeed) await seedDemo(services, config.demoSeed)
    else await createFirstAdmin(services)
    const app = await buildApp(services)
    const url = await app.listen({ port: config.port, host: config.host })
    return {
      url,
      close: async () => {
        await app.close()
        await db.destroy()
      },
    }
  } catch (error) {
    await db.destroy()
    throw error
  }
}

export const buildServices = (
  config: Config,
  db: Db,
  secrets: Services['secrets'],
  now: () => Date = () => new Date(),
): Services => {
  const { addresses, timeoutMs } = config.bi
  const tokens = createEntraTokens({ addresses, timeoutMs, now })
  const api = createPowerBiApi({ addresses, timeoutMs, tokens })
  return { config, db, secrets, embedIssuer: createEmbedIssuer({ api, addresses, now }), now }
}
