import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type TestProjectInlineConfiguration } from 'vitest/config'
import { manualPlugin } from './packages/web/manual/manual-plugin.ts'
import { type ProjectName, testFiles } from './scripts/vitest/projects.ts'
import { alsoOnEmbedded, isSelection, mainJourneys, slowFiles } from './scripts/vitest/selection.ts'

const postgres = {
  globalSetup: ['./scripts/vitest/postgres-server.ts'],
  setupFiles: ['./scripts/vitest/postgres-env.ts'],
}

/** They test code before or without the database: one project is enough. */
const notAboutTheDatabase = [
  '**/config.test.ts',
  '**/secrets.test.ts',
  '**/secret-files.test.ts',
  '**/outbound-settings.test.ts',
  '**/lib/outbound.test.ts',
  '**/password-rules.test.ts',
  '**/compose-mail.test.ts',
  '**/validate-pdf.test.ts',
  '**/read-pdf.test.ts',
  '**/streams-of-pdfs.test.ts',
  '**/names-in-pdfs.test.ts',
  '**/encrypted-pdfs.test.ts',
  '**/file-store.test.ts',
  '**/backup-archive.test.ts',
  '**/backup-retention.test.ts',
  '**/lib/recurrence.test.ts',
  '**/backup-settings.test.ts',
  '**/backup-target.test.ts',
  '**/make-pdf.test.ts',
  '**/lists/csv.test.ts',
  '**/draw-image.test.ts',
  '**/draw-upload.test.ts',
  '**/entra-tokens.test.ts',
  '**/microsoft-description.test.ts',
  '**/beneficiary-json.test.ts',
  '**/opened-in-libreoffice.test.ts',
]

/** One project is enough for thousands of small calls: PostgreSQL takes less than half of the time. */
const onPostgresAlone = [
  '**/oidc-forgery.test.ts',
  '**/provider-failures.test.ts',
  '**/request-limits.test.ts',
  '**/security-headers.test.ts',
  '**/log-redaction.test.ts',
  '**/path-variants.test.ts',
  '**/fuzz.test.ts',
  '**/hostile-files.test.ts',
  // The tests of the features show that the calls succeed on the embedded database too.
  '**/permission-matrix.test.ts',
  // These are about the bytes of a body, the work of a hash and the answers of a provider.
  '**/multipart.test.ts',
  '**/same-work.test.ts',
  '**/connection-test.test.ts',
  '**/connection-warnings.test.ts',
]

/** These are not for PostgreSQL: the embedded database itself, and processes that start on it. */
const onEmbeddedAlone = [
  '**/durability.test.ts',
  '**/killed-uploads.test.ts',
  '**/start.test.ts',
  '**/outbound-processes.test.ts',
  '**/embedded-dialect.test.ts',
  '**/embedded-snapshot.test.ts',
  ...notAboutTheDatabase,
]

const serverFiles = (patterns: string[]) => patterns.map((pattern) => `packages/server/${pattern}`)

const selected: Partial<Record<ProjectName, string[]>> = isSelection()
  ? { 'server-embedded': [...alsoOnEmbedded, ...serverFiles(onEmbeddedAlone)], e2e: mainJourneys }
  : {}
const leftOut = ['**/node_modules/**', '**/dist/**', ...(isSelection() ? slowFiles : [])]

const project = (
  name: ProjectName,
  { exclude = [], ...test }: TestProjectInlineConfiguration['test'] = {},
): TestProjectInlineConfiguration => ({
  extends: true,
  test: {
    name,
    include: selected[name] ?? [...testFiles[name]],
    exclude: [...leftOut, ...exclude],
    ...test,
  },
})

const existing = (...files: string[]) => files.filter((file) => existsSync(file))

export default defineConfig({
  test: {
    // One more than the two cores that the tests are quick on: the longest files mostly wait.
    maxWorkers: 3,
    // A separate process per file would take half as long again. Files share no state.
    isolate: false,
    // Tests that are marked as concurrent mostly wait.
    maxConcurrency: 16,
    // Generous: a test must not fail because the machine is busy.
    testTimeout: 60_000,
    hookTimeout: 180_000,
    expect: { poll: { timeout: 30_000 } },
    restoreMocks: true,
    // Data that some tests read and that is not part of the repository; they say when it is absent.
    env: { SHARED_FOLDER: join(import.meta.dirname, '../shared') },
    projects: [
      project('contract'),
      project('server-embedded', {
        env: { TEST_DATABASE: 'embedded' },
        exclude: onPostgresAlone,
        globalSetup: ['./scripts/vitest/embedded-template.ts'],
      }),
      project('server-postgres', {
        env: { TEST_DATABASE: 'postgres' },
        exclude: onEmbeddedAlone,
        ...postgres,
      }),
      project('reports', { exclude: [...testFiles.embed] }),
      // A project of its own: a worker is reused only by files of the same environment.
      project('embed', { environment: 'happy-dom' }),
      {
        ...project('web', {
          environment: 'happy-dom',
          setupFiles: existing('packages/web/test/setup.ts'),
        }),
        plugins: [manualPlugin()],
      },
      project('scripts', { testTimeout: 60_000 }),
      project('e2e', {
        expect: { poll: { timeout: 10_000 } },
        testTimeout: 120_000,
        hookTimeout: 300_000,
        globalSetup: existing('packages/e2e/src/global-setup.ts'),
        setupFiles: existing('packages/e2e/src/browser/journey-setup.ts'),
        sequence: { groupOrder: 1 },
      }),
      // Embedded unless a test asks for the server, whose address it finds in TEST_DATABASE_URL.
      project('long', {
        env: { TEST_DATABASE: 'embedded' },
        ...postgres,
        fileParallelism: false,
        testTimeout: 1_800_000,
        hookTimeout: 300_000,
        sequence: { groupOrder: 2 },
      }),
    ],
  },
})
