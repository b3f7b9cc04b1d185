import { parentPort, workerData } from 'node:worker_threads'
import { openDurablePGlite } from './durable-pglite.ts'
import type { WorkerReply, WorkerRequest } from './embedded-dialect.ts'
import { copySecondPass } from './embedded-snapshot.ts'
import { createStatements } from './embedded-statements.ts'

/* PGlite blocks its thread, so it runs in a worker, and requests do not block each other. */

const reply = (message: WorkerReply) => parentPort?.postMessage(message)

const errorFields = (error: unknown) => {
  const { message, name, code, constraint, detail, table, column } = error as Record<
    string,
    string | undefined
  >
  return { message: message ?? String(error), name, code, constraint, detail, table, column }
}

/** Called during a statement. The process exits, so no later statement is acknowledged. */
const endAtOnce = (error: Error) => {
  reply({ id: 'lost', error: errorFields(error) })
  process.exit(1)
}

try {
  const { directory } = workerData as { directory: string }
  const { pglite, close } = await openDurablePGlite(directory, endAtOnce)
  const statements = createStatements(pglite)
  await statements.listen()
  const serve = async ({
    id,
    sql,
    parameters,
    inTransaction,
    end,
    snapshot,
  }: WorkerRequest): Promise<void> => {
    try {
      if (end) {
        await close()
        reply({ id, rows: [] })
        parentPort?.close()
      } else if (snapshot) {
        copySecondPass(directory, snapshot)
        reply({ id, rows: [] })
      } else {
        // Its `begin` failed: outside a transaction, the statement would be committed on its own.
        if (inTransaction && !pglite.isInTransaction()) throw new Error('No transaction is open.')
        reply({ id, ...(await statements.run(sql, parameters)) })
      }
    } catch (error) {
      // The notifications before the error were not read, so a change may have been reported.
      reply({ id, error: errorFields(error), sessionsChanged: true })
    }
  }
  let last = Promise.resolve()
  parentPort?.on('message', (request: WorkerRequest) => {
    last = last.then(() => serve(request))
  })
  reply({ id: 0, rows: [] })
} catch (error) {
  reply({ id: 0, error: errorFields(error) })
}
