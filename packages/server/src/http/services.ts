import type { RecordAudit } from '../audit/record-audit.ts'
import type { EmbedIssuer } from '../bi/embed-issuer.ts'
import type { PowerBiApi } from '../bi/power-bi-api.ts'
import type { Config } from '../config.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import type { FileStore } from '../files/file-store.ts'
import type { Secrets } from '../secrets.ts'

/** What the routes work with, made once at the start and handed to each feature. */
export interface Services {
  config: Config
  db: OpenDatabase
  secrets: Secrets
  recordAudit: RecordAudit
  powerBi: PowerBiApi
  embedIssuer: EmbedIssuer
  /** Where attachments' files are kept. */
  files: FileStore
  /** The clock; tests set their own. */
  now: () => Date
}
