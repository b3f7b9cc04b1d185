import { parentPort, workerData } from 'node:worker_threads'
import { openDurablePGlite } from './durable-pglite.ts'
import type { WorkerReply, WorkerRequest } from './embedded-dialect.ts'

/* PGlite computes on the thread that calls it; here it has one of its own, so that no request waits for another's query. */

const reply = (message: WorkerReply) => parentPort?.postMessage(message)

const errorFields = (error: unknown) => {
  const { message, name, code, constraint, detail, table, column } = error as Record<
    string,
    string | undefined
  >
  return { message: message ?? String(error), name, code, constraint, detail, table, column }
}

try {
  const { pglite, close } = await openDurablePGlite((workerData as { directory: string }).directory)
  parentPort?.on('message', async ({ id, sql, parameters, end }: WorkerRequest) => {
    try {
      if (end) {
        await close()
        reply({ id, rows: [] })
        parentPort?.close()
      } else if (parameters.length === 0) {
        // The simple protocol takes several statements at once, as a migration needs.
        const result = (await pglite.exec(sql)).at(-1)
        reply({ id, rows: result?.rows ?? [], affectedRows: result?.affectedRows })
      } else {
        const result = await pglite.query<object>(sql, parameters)
        reply({ id, rows: result.rows, affectedRows: result.affectedRows })
      }
    } catch (error) {
      reply({ id, error: errorFields(error) })
    }
  })
  reply({ id: 0, rows: [] })
} catch (error) {
  reply({ id: 0, error: errorFields(error) })
}
