import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { demoCatalogue } from '../packages/reports/src/demo/catalogue.ts'
import { ensureDemoData } from '../packages/reports/src/demo/generate.ts'
import { ensureServiceFile } from '../packages/reports/src/protocol/rest/service-file.ts'

/*
 * Prepares the demo: the report service's data and credentials, and a seed file for the portal.
 * Only this script knows both; at run time the portal uses the Power BI protocol only.
 */

const [reportsFolder, seedFile] = process.argv.slice(2)
if (!reportsFolder || !seedFile)
  throw new Error('usage: node scripts/demo-data.ts <reports folder> <seed file>')
try {
  await ensureDemoData(reportsFolder)
  const { tenantId, applications } = await ensureServiceFile(reportsFolder)
  const [application] = applications
  if (!application) throw new Error('O serviço de relatórios não tem nenhuma aplicação em service.json.')
  const { clientId: applicationId, clientSecret: secret } = application
  const seed = { connection: { tenantId, applicationId, secret }, ...demoCatalogue() }
  mkdirSync(dirname(seedFile), { recursive: true, mode: 0o700 })
  // The file holds a secret, and `mode` applies to new files only.
  rmSync(seedFile, { force: true })
  writeFileSync(seedFile, JSON.stringify(seed), { mode: 0o600, flag: 'wx' })
} catch (error) {
  console.error(error instanceof Error ? error.message : error)
  process.exit(1)
}
