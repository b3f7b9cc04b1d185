/*
 * What `npm test` leaves out so that it takes 12 minutes on 2 idle cores; `npm run test:all` runs
 * every test (docs/decisions/0055).
 */

/** Whether this process runs the selection of `npm test`. */
export const isSelection = () => process.env.TESTS === 'selection'

/** One journey per area of the product. All run on the embedded database. */
export const mainJourneys = [
  'sign-in',
  'first-steps',
  'main-job',
  'viewer',
  'report-pages',
  'protocol-embedding',
  'microsoft-tenant',
  'back-office-users',
  'back-office-permissions',
  'medical-records',
  'content-policy',
  'firefox',
].map((name) => `packages/e2e/src/journeys/**/${name}.journey.ts`)

/** Tests of the server that also run on the embedded database: the database itself, and much SQL. */
export const alsoOnEmbedded = [
  'packages/server/src/platform/db/**/*.test.ts',
  'packages/server/src/platform/jobs/run-exclusively.test.ts',
  'packages/server/src/reports/visibility/**/*.test.ts',
  'packages/server/src/**/expiry.test.ts',
  'packages/server/src/reports/usage/**/*.test.ts',
  'packages/server/src/operations/audit/**/*.test.ts',
]

/** Files that take 10 to 150 s: processes that are killed, limits that are reached, clusters. */
export const slowFiles = [
  'packages/reports/src/archive/archive.test.ts',
  'packages/reports/src/authoring/drafts/csv-notations.test.ts',
  'packages/reports/src/authoring/drafts/draft-previews.test.ts',
  'packages/reports/src/authoring/drafts/folder-drafts.test.ts',
  'packages/reports/src/authoring/drafts/shared-cases.test.ts',
  'packages/reports/src/protocol/embed-api/empty-visuals.test.ts',
  'packages/reports/src/protocol/embed-api/scheduling.test.ts',
  'packages/reports/src/protocol/embed-api/unread-answers.test.ts',
  'packages/reports/src/engine/data/database/database-process.test.ts',
  'packages/reports/src/engine/loading/folder-sheets.test.ts',
  'packages/reports/src/engine/loading/load-catalog.test.ts',
  'packages/reports/src/engine/queries/containment.test.ts',
  'packages/reports/src/exports/branded-exports.test.ts',
  'packages/reports/src/exports/shared-exports.test.ts',
  'packages/reports/src/exports/unsandboxed-chromium.test.ts',
  'packages/reports/src/authoring/publish/catalog-versions.test.ts',
  'packages/reports/src/authoring/published/crossed-files.test.ts',
  'packages/reports/src/authoring/published/replaced-data.test.ts',
  'packages/reports/src/authoring/published/replaced-sheets.test.ts',
  'packages/reports/src/authoring/published/versions.test.ts',
  'packages/reports/src/authoring/published/widened-data.test.ts',
  'packages/reports/src/engine/spreadsheets/other-programs.test.ts',
  'packages/reports/src/exports/workbook/opened-in-libreoffice.test.ts',
  'packages/server/src/accounts/credentials/same-work.test.ts',
  'packages/server/src/operations/backup/runs/backups-in-a-bucket.test.ts',
  'packages/server/src/operations/backup/runs/backups-of-nodes.test.ts',
  'packages/server/src/operations/backup/archive/make-backup.test.ts',
  'packages/server/src/operations/backup/contents/report-files.test.ts',
  'packages/server/src/operations/backup/restore/restore-archive.test.ts',
  'packages/server/src/operations/backup/runs/scheduled-backups.job.test.ts',
  'packages/server/src/connections/power-bi/provider-failures.test.ts',
  'packages/server/src/clinical/attachments/pending-files.test.ts',
  'packages/server/src/platform/db/drivers/silent-connections.test.ts',
  'packages/server/src/platform/db/durability.test.ts',
  'packages/server/src/distribution/subscriptions/runs/killed-runs.test.ts',
  'packages/server/src/platform/files/killed-uploads.test.ts',
  'packages/server/src/platform/files/streams-of-pdfs.test.ts',
  'packages/server/src/platform/http/lists/opened-in-libreoffice.test.ts',
  'packages/server/src/operations/keys/rotate-secrets.test.ts',
  'packages/server/src/accounts/names/spoofed-names.test.ts',
  'packages/server/src/outbound-processes.test.ts',
  'packages/server/src/operations/audit/verify-audit.test.ts',
  'packages/web/src/reports/viewer/spreadsheet/opened-in-libreoffice.test.ts',
  'scripts/nodes/pgbouncer.test.ts',
  'scripts/nodes/point-in-time.test.ts',
  'scripts/nodes/short-outage.test.ts',
  'scripts/nodes/standby-start.test.ts',
  'scripts/vitest/metrics.test.ts',
  'scripts/vitest/restored-services.test.ts',
  'scripts/vitest/traces.test.ts',
]
