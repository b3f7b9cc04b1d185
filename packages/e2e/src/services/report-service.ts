import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'

const main = fileURLToPath(new URL('../../../reports/src/main.ts', import.meta.url))

interface Options {
  /** Folder of the reports. */
  dataDir: string
  port: number
  /** The portal that embeds its pages. */
  portal: string
}

export type ReportService = Awaited<ReturnType<typeof startReportService>>

/** Starts a report service in its own process, which can be killed and restarted. */
export const startReportService = async ({ dataDir, port, portal }: Options) => {
  const url = `http://localhost:${port}`
  const start = async () => {
    const child = spawn(process.execPath, [main], {
      env: {
        PATH: process.env.PATH,
        REPORTS_PORT: String(port),
        REPORTS_DATA_DIR: dataDir,
        PUBLIC_URL: portal,
        LOG_LEVEL: 'warn',
        DRAIN_SECONDS: '0',
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    await untilReady(url, child)
    return child
  }
  let child = await start()
  const end = async (signal: NodeJS.Signals) => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const ended = once(child, 'exit')
    child.kill(signal)
    await ended
  }
  return {
    url,
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
    /** Returns performance.now() at the moment it answers. */
    restart: async () => {
      child = await start()
      return performance.now()
    },
  }
}

const untilReady = async (url: string, { exitCode }: ChildProcess): Promise<void> => {
  for (let waited = 0; waited < 60_000 && exitCode === null; waited += 50) {
    const isReady = await fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isReady) return
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  throw new Error(`${url} did not become ready`)
}
