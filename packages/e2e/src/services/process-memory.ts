import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/**
 * Returns the resident memory in MB of an installation's two servers; `server` is the portal,
 * `reports` includes the process of its databases.
 */
export function memoryOf(dataDir: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of execFileSync('ps', ['-eo', 'rss=,pid=,args='], { encoding: 'utf8' }).split('\n')) {
    const [, rss = '0', pid = '', name = ''] =
      /^\s*(\d+)\s+(\d+)\s.*packages\/(server|reports)\/src\/(?:main|engine\/database-process-main)\.ts/.exec(
        line,
      ) ?? []
    if (name && environmentOf(pid).includes(dataDir))
      found[name] = (found[name] ?? 0) + Math.round(Number(rss) / 1024)
  }
  return found
}

const environmentOf = (pid: string): string => readFileSync(`/proc/${pid}/environ`, 'utf8')
