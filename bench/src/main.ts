import { cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchPortal } from './portal.ts'
import { benchRecords } from './records.ts'
import { benchScale } from './scale.ts'

/* Figures are ratios to the first line of the same run: machines differ and drift, ratios hold. */

/** `npm run bench -- scale` runs one part alone. */
const parts = process.argv.slice(2)
const isAsked = (part: string) => parts.length === 0 || parts.includes(part)

console.log(`${cpus().length} cores, Node ${process.versions.node}`)
if (isAsked('portal')) await benchCalls()
if (isAsked('audit')) await benchAudit()
if (isAsked('scale')) await benchScale()
if (isAsked('records')) await benchRecords()
process.exit(0)

async function benchCalls(): Promise<void> {
  console.log('\nCalls of the portal, 4 s a line:\n')
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
}
