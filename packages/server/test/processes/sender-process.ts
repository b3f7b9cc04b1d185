import { loadConfig } from '../../src/platform/config/config.ts'
import { loadSecrets } from '../../src/platform/config/secrets.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'
import { createFileStore } from '../../src/platform/files/create-file-store.ts'
import { testSender } from '../mails.ts'

/* Runs only the mail sender, as a process that a test can kill. */

const config = loadConfig(process.env)
const db = await openDatabase({ ...config, onError: console.error })
const secrets = loadSecrets(config.appSecret, config.dataDir)
const files = createFileStore(config, db)
testSender({ config, db, secrets, files, now: () => new Date() }, console).start()
