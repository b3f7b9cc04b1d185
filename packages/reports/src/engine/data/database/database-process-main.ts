import { rmSync } from 'node:fs'
import { findNotNumbers } from '../columns/not-numbers.ts'
import { type Database, openDatabase, QueryTimeout } from './database.ts'
import type { Answer, Command, Message } from './database-process.ts'

/* The child process of `createDatabaseProcess`: answers each `Message` with an `Answer`. */

const [folder = ''] = process.argv.slice(2)
const databases = new Map<number, Promise<Database>>()
const running = new Map<number, AbortController>()

process.on('message', async (message: Message) => {
  if ('abort' in message) return running.get(message.abort)?.abort(new QueryTimeout())
  const { id, database, command } = message
  const stop = new AbortController()
  running.set(id, stop)
  try {
    const result = (await carryOut(database, command, stop.signal)) ?? null
    const notNumbers = Array.isArray(result) ? findNotNumbers(result) : []
    answer({ id, text: JSON.stringify(result), ...(notNumbers.length > 0 && { notNumbers }) })
  } catch (error) {
    const { name, message } = error instanceof Error ? error : new Error(String(error))
    answer({ id, error: { name: error instanceof Error ? error.constructor.name : name, message } })
  } finally {
    running.delete(id)
  }
})

// The service has ended, perhaps without closing its databases.
process.once('disconnect', () => {
  rmSync(folder, { recursive: true, force: true })
  // Statements that run would delay a usual exit.
  process.kill(process.pid, 'SIGKILL')
})

const answer = (message: Answer) => void process.send?.(message)

async function carryOut(number: number, command: Command, signal: AbortSignal): Promise<unknown> {
  if (command.do === 'open') {
    const opening = open(command)
    databases.set(number, opening)
    return void (await opening)
  }
  const database = await databases.get(number)
  if (command.do === 'close') {
    databases.delete(number)
    return database?.close()
  }
  if (!database) throw new Error(`there is no database ${number}`)
  if (command.do === 'query') return database.query(command.sql, command.values, signal)
  if (command.do === 'load') return database.load(command.sql, signal)
  if (command.do === 'createTable') return database.createTable(command.table, command.select, signal)
  await database.seal(command.roomMegabytes)
  return database.dataMegabytes()
}

/** Other commands wait until a database that exists already is sealed again. */
async function open({ limits, roomMegabytes }: Command & { do: 'open' }): Promise<Database> {
  const database = await openDatabase(limits)
  if (limits.isReadOnly) await database.seal(roomMegabytes)
  return database
}
