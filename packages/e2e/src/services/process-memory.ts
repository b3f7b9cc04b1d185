import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'

/** What the programs of an installation are called here, by the file that each of them runs. */
const programs: Record<string, 'server' | 'reports' | 'databases'> = {
  'server/src/main': 'server',
  'reports/src/main': 'reports',
  'database-process-main': 'databases',
}

/**
 * Returns the resident memory in MB of an installation's processes: the portal (`server`), the
 * report service (`reports`) and the process of its databases.
 */
export function memoryOf(dataDir: string): Record<string, number> {
  const found: Record<string, number> = {}
  for (const line of execFileSync('ps', ['-eo', 'rss=,pid=,args='], { encoding: 'utf8' }).split('\n')) {
    const [, rss = '0', pid = '', program = ''] =
      /^\s*(\d+)\s+(\d+)\s.*packages\/(?:\S*\/)?((?:server|reports)\/src\/main|database-process-main)\.ts/.exec(
        line,
      ) ?? []
    const name = programs[program]
    if (name && environmentOf(pid).includes(dataDir))
      found[name] = (found[name] ?? 0) + Math.round(Number(rss) / 1024)
  }
  return found
}

const environmentOf = (pid: string): string => readFileSync(`/proc/${pid}/environ`, 'utf8')
