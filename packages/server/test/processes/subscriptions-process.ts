import { startSubscriptions } from '../../src/distribution/subscriptions/subscriptions.job.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import { loadSecrets } from '../../src/platform/config/secrets.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { buildServices } from '../../src/start-server.ts'
import { testSender } from '../mails.ts'

/* Runs only the work on subscriptions and the mail sender, as a process that a test can kill. */

const { SKEW_MS = '0', ...environment } = process.env
const config = loadConfig(environment)
const db = await openDatabase({ ...config, onError: console.error })
const secrets = loadSecrets(config.appSecret, config.dataDir)
const now = () => new Date(Date.now() + Number(SKEW_MS))
const services = buildServices(config, db, secrets, now)
const log = { warn: () => {}, error: console.error } as never
startSubscriptions(services, log)
testSender(services, log).start()
console.log('started')
