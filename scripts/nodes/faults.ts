import { execFileSync } from 'node:child_process'
import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { startProvider } from '../../packages/server/test/stand-ins/provider-stand-in.ts'
import { startSmtp } from '../../packages/server/test/stand-ins/smtp.ts'
import { endProcess, type Supervised } from './bound-process.ts'
import type { Cluster } from './cluster.ts'

export const faketime = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1'
export const minFreeMegabytes = 64

export interface Surroundings {
  cluster: Cluster
  provider: Awaited<ReturnType<typeof startProvider>>
  smtp: Awaited<ReturnType<typeof startSmtp>>
  /** Node 3 reads the offset of its clock from this file. */
  clockFile: string
  /** Whether DATA_DIR is a separate, small file system. */
  hasSmallDisk: boolean
  /** Milliseconds of faults that do not end on their own. */
  holdMs: number
}

export interface Fault {
  /** Portuguese, for the table. */
  name: string
  /** Why it is impossible on this machine; undefined when possible. */
  absent?: string | undefined
  /** Causes the fault, and ends it if it does not end on its own. */
  make: () => Promise<void>
  /** Expected additional process starts, by node. */
  restarts?: Partial<Record<number, number>>
}

/** Returns the twelve faults of the hour, in order. */
export const faultsOf = (here: Surroundings): Fault[] => {
  const { cluster, provider, holdMs } = here
  const { pair } = cluster
  const end = async (one: Supervised | undefined, signal: NodeJS.Signals) => {
    if (one) await endProcess(one.child, signal)
  }
  return [
    {
      name: 'nó 1 morto (kill -9)',
      make: () => end(cluster.nodes[0], 'SIGKILL'),
      restarts: { 0: 1 },
    },
    {
      name: 'nó 2 reiniciado (SIGTERM)',
      make: () => end(cluster.nodes[1], 'SIGTERM'),
      restarts: { 1: 1 },
    },
    { name: 'banco reiniciado (fast)', make: () => pair.restart('fast') },
    { name: 'serviço de relatórios 1 morto (kill -9)', make: () => end(cluster.reports[0], 'SIGKILL') },
    {
      name: 'servidor de e-mail parado',
      make: async () => {
        await here.smtp.close()
        await sleep(holdMs)
        const { received, port } = here.smtp
        here.smtp = await startSmtp({}, port)
        here.smtp.received.push(...received)
      },
    },
    {
      name: 'Microsoft sem resposta',
      make: async () => {
        for (const kind of ['token', 'dataset', 'report', 'generateToken'] as const) {
          provider.answer(kind, () => ({ delay: 10 * 60_000 }))
        }
        await sleep(holdMs)
        provider.restore()
      },
    },
    {
      name: 'disco de arquivos cheio',
      absent: here.hasSmallDisk ? undefined : 'não foi possível montar um disco pequeno',
      make: async () => {
        const file = join(cluster.dataDir, 'fill')
        const { bavail, bsize } = await statfs(cluster.dataDir)
        const megabytes = Math.floor((bavail * bsize) / 2 ** 20) - minFreeMegabytes / 2
        execFileSync('fallocate', ['-l', `${megabytes}M`, file])
        await sleep(1_500)
        const { espaco } = (await (await fetch(`${cluster.urls[0]}/readyz`)).json()) as { espaco: boolean }
        if (espaco) throw new Error('The disk is not full.')
        await sleep(holdMs)
        rmSync(file)
      },
    },
    {
      name: 'relógio do nó 3 adiantado em 10 minutos, e atrasado de volta',
      absent: existsSync(faketime) ? undefined : 'falta a biblioteca libfaketime',
      make: async () => {
        writeFileSync(here.clockFile, '+600\n')
        await sleep(3_000)
        const { headers } = await fetch(`${cluster.urls[2]}/healthz`)
        const aheadMs = Date.parse(headers.get('date') ?? '') - Date.now()
        if (aheadMs < 500_000) throw new Error(`The clock of node 3 is ahead by ${aheadMs} ms only.`)
        await sleep(holdMs)
        writeFileSync(here.clockFile, '+0\n')
      },
    },
    {
      name: 'primário perdido (kill -9), standby promovido',
      make: async () => {
        await pair.killPrimary()
        await pair.promote()
        cluster.pooler.repoint()
      },
    },
    { name: 'antigo primário recriado como standby', make: () => pair.rebuild() },
    { name: 'banco reiniciado (immediate)', make: () => pair.restart('immediate') },
    { name: 'PgBouncer morto (kill -9)', make: () => end(cluster.pooler, 'SIGKILL') },
  ]
}
