import type { WriteAudit } from '../audit/write-audit.ts'
import type { Brand } from '../brand/brand.ts'
import type { Config } from '../config/config.ts'
import type { Secrets } from '../config/secrets.ts'
import type { OpenDatabase } from '../db/open-database.ts'
import type { FileStore } from '../files/file-store.ts'

/** The services that all features share, created once at start-up. */
export interface Services {
  config: Config
  db: OpenDatabase
  secrets: Secrets
  writeAudit: WriteAudit
  /** The store of attachment files. */
  files: FileStore
  /** Returns name, colour and logo of the installation; the last known when the database fails. */
  readBrand: () => Promise<Brand>
  /** The clock; tests replace it. */
  now: () => Date
}
