import { startScheduledBackups } from '../../src/operations/backup/runs/scheduled-backups.job.ts'
import { loadConfig } from '../../src/platform/config/config.ts'
import { loadSecrets } from '../../src/platform/config/secrets.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'

/* The scheduled backups of one node, as a process that checks when a test sends it the time. */

let offsetMs = 0
const lines: string[] = []
const config = loadConfig(process.env)
const db = await openDatabase({ ...config, onError: console.error })
const services = {
  config,
  db,
  secrets: loadSecrets(config.appSecret, config.dataDir),
  now: () => new Date(Date.now() + offsetMs),
}
const keep = (_: object, line: string) => void lines.push(line)
const { makeDue } = await startScheduledBackups(services, { info: keep, error: keep } as never)

process.on('message', (given: { offsetMs: number }) => {
  offsetMs = given.offsetMs
  lines.length = 0
  void makeDue().then(
    () => process.send?.(lines),
    (error: Error) => process.send?.([error.message]),
  )
})
process.once('disconnect', () => process.exit())
process.send?.('ready')
