import { createDatabaseProcess } from '../src/engine/data/database/database-process.ts'

/* Opens a database, tells its parent the process ids, and dies without closing it. */

const databaseProcess = createDatabaseProcess({ memoryMegabytes: 128 })
const database = await databaseProcess.open({ memoryMegabytes: 64, timeoutMs: 10_000 })
await database.createTable('T', 'SELECT 1 AS n')
process.send?.({ pid: databaseProcess.pid() }, () => process.kill(process.pid, 'SIGKILL'))
