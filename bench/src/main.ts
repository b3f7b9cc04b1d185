import { cpus } from 'node:os'
import { benchPortal } from './portal.ts'

/* Figures are ratios to the first line of the same run: machines differ and drift, ratios hold. */

console.log(`${cpus().length} cores, Node ${process.versions.node}, 4 s a line\n`)
const loads = Object.entries(await benchPortal())
const baseline = loads[0]?.[1].rate ?? 1
console.log(
  `${'call'.padEnd(52)}${'per second'.padStart(12)}${'ratio'.padStart(9)}${'p50 ms'.padStart(9)}${'p99 ms'.padStart(9)}`,
)
for (const [name, { rate, p50, p99 }] of loads) {
  const ratio = (rate / baseline).toFixed(3)
  console.log(
    `${name.padEnd(52)}${String(rate).padStart(12)}${ratio.padStart(9)}${String(p50).padStart(9)}${String(p99).padStart(9)}`,
  )
}
process.exit(0)
