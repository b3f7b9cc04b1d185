import { cpus } from 'node:os'
import { benchAudit } from './audit.ts'
import { benchBeside } from './beside.ts'
import { benchImage } from './image.ts'
import { benchLists } from './lists.ts'
import { benchPortal } from './portal.ts'
import { benchQueries } from './queries.ts'
import { benchReaders } from './readers.ts'
import { benchRecords } from './records.ts'
import { benchReports } from './reports.ts'
import { benchScale } from './scale.ts'
import { benchSizes } from './sizes.ts'
import { benchSpreadsheets } from './spreadsheets.ts'
import { benchStart } from './start.ts'
import { benchSubscriptions } from './subscriptions.ts'
import { benchUsage } from './usage.ts'
import { benchViewer } from './viewer.ts'
import { benchWeb } from './web.ts'

/* Figures are ratios to the first line of the same run: absolute times vary. */

const parts = {
  portal: benchPortal,
  lists: benchLists,
  audit: benchAudit,
  scale: benchScale,
  records: benchRecords,
  usage: benchUsage,
  queries: benchQueries,
  reports: benchReports,
  spreadsheets: benchSpreadsheets,
  readers: benchReaders,
  beside: benchBeside,
  subscriptions: benchSubscriptions,
  viewer: benchViewer,
  web: benchWeb,
  sizes: benchSizes,
  start: benchStart,
  image: benchImage,
}

console.log(`${cpus().length} cores, Node ${process.versions.node}`)
/** `npm run bench -- scale` runs one part. */
const asked = process.argv.slice(2)
/** A report begins with the reading of its file. */
if (asked.includes('reports')) asked.push('spreadsheets')
for (const [part, bench] of Object.entries(parts)) if (!asked.length || asked.includes(part)) await bench()
process.exit(0)
