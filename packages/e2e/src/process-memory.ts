import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** Returns the resident memory in MB of an installation's two servers; `server` is the portal. */
export const memoryOf = (dataDir: string): Record<string, number> =>
  Object.fromEntries(
    execFileSync('ps', ['-eo', 'rss=,pid=,args='], { encoding: 'utf8' })
      .split('\n')
      .flatMap((line) => {
        const [, rss = '0', pid = '', name = ''] =
          /^\s*(\d+)\s+(\d+)\s.*packages\/(server|reports)\/src\/main\.ts/.exec(line) ?? []
        return name && environmentOf(pid).includes(dataDir) ? [[name, Math.round(Number(rss) / 1024)]] : []
      }),
  )

const environmentOf = (pid: string): string => readFileSync(`/proc/${pid}/environ`, 'utf8')
