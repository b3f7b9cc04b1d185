import { cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchBeside } from './beside.ts'
import { benchImage } from './image.ts'
import { benchPortal } from './portal.ts'
import { benchQueries } from './queries.ts'
import { benchRecords } from './records.ts'
import { benchReports } from './reports.ts'
import { benchScale } from './scale.ts'
import { benchSizes } from './sizes.ts'
import { benchStart } from './start.ts'
import { benchViewer } from './viewer.ts'

/* Figures are ratios to the first line of the same run: absolute times vary. */

/** `npm run bench -- scale` runs one part. */
const parts = process.argv.slice(2)
const isAsked = (part: string) => parts.length === 0 || parts.includes(part)

console.log(`${cpus().length} cores, Node ${process.versions.node}`)
if (isAsked('portal')) await benchPortal()
if (isAsked('audit')) await benchAudit()
if (isAsked('scale')) await benchScale()
if (isAsked('records')) await benchRecords()
if (isAsked('queries')) await benchQueries()
if (isAsked('reports')) await benchReports()
if (isAsked('beside')) await benchBeside()
if (isAsked('viewer')) await benchViewer()
if (isAsked('sizes')) await benchSizes()
if (isAsked('start')) await benchStart()
if (isAsked('image')) await benchImage()
process.exit(0)
