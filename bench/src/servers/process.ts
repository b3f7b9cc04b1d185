import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

/** Sends the message to the parent process, and serves until the parent disconnects. */
export const serveUntilDisconnect = (message: unknown, close: () => Promise<unknown>): void => {
  process.send?.(message)
  process.on('message', () => process.send?.(process.cpuUsage()))
  process.once('disconnect', () => void close().finally(() => process.exit(0)))
}

/** Starts a server of this folder as a process. @returns its first message, and how to end it */
export const startProcess = async <T>(file: string, argument?: unknown) => {
  const child = fork(
    fileURLToPath(new URL(file, import.meta.url)),
    argument === undefined ? [] : [JSON.stringify(argument)],
    { execPath: process.execPath, execArgv: [] },
  )
  const [message] = await Promise.race([
    once(child, 'message'),
    once(child, 'exit').then(([code]) => Promise.reject(new Error(`${file} ended with ${code}`))),
  ])
  return {
    message: message as T,
    /** Returns the processor time of all its threads so far, in microseconds. */
    cpu: async () => {
      const answered = once(child, 'message')
      child.send('cpu')
      const [{ user, system }] = (await answered) as [NodeJS.CpuUsage]
      return user + system
    },
    end: async () => {
      const ended = once(child, 'exit')
      child.disconnect()
      await ended
    },
  }
}
