import { residentBytes } from '@bi-manager/telemetry/process-memory'
import type { Cluster } from './cluster.ts'

interface Sample {
  minute: number
  /** Process → megabytes of resident memory, and its start number. */
  processes: Record<string, { megabytes: number; start: number }>
}

const residentMegabytes = (pid = 0): number => Math.round((residentBytes(pid) ?? 0) / 2 ** 20)

/** Samples the resident memory of nodes and report services. */
export const sampleMemory = (cluster: Cluster, everyMs: number) => {
  const samples: Sample[] = []
  const groups = { nó: cluster.nodes, relatórios: cluster.reports }
  const read = () => {
    const all = Object.entries(groups).flatMap(([name, group]) =>
      group.map((one, n) => {
        const sample = { megabytes: residentMegabytes(one.child.pid), start: one.starts() }
        return [`${name} ${n + 1}`, sample] as const
      }),
    )
    samples.push({ minute: samples.length, processes: Object.fromEntries(all) })
  }
  read()
  const timer = setInterval(read, everyMs)
  return {
    samples,
    stop: () => {
      clearInterval(timer)
      read()
    },
  }
}

/** Processes with fewer samples are ignored. */
const fewestSamples = 20

/**
 * Returns the megabytes each process gained in the second half of its life: the mean of the last
 * quarter minus that of the second. Leaves out processes that started late.
 */
export const gainsOf = (samples: Sample[]): Record<string, number> => {
  const names = Object.keys(samples.at(-1)?.processes ?? {})
  return Object.fromEntries(
    names.flatMap((name) => {
      const last = samples.at(-1)?.processes[name]?.start
      const life = samples.flatMap(({ processes }) => {
        const one = processes[name]
        return one && one.start === last && one.megabytes > 0 ? [one.megabytes] : []
      })
      if (life.length < fewestSamples) return []
      const quarter = Math.floor(life.length / 4)
      return [[name, Math.round(mean(life.slice(-quarter)) - mean(life.slice(quarter, 2 * quarter)))]]
    }),
  )
}

const mean = (all: number[]) => all.reduce((sum, one) => sum + one, 0) / Math.max(1, all.length)
