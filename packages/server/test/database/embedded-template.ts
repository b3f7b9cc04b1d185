import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pglitePackage from '../../../../node_modules/@electric-sql/pglite/package.json' with { type: 'json' }
import { migrate } from '../../src/platform/db/migrations/migrate.ts'
import { openDatabase } from '../../src/platform/db/open-database.ts'

/** Copies a migrated embedded database into a folder that does not exist yet. */
export const copyEmbedded = async (directory: string): Promise<void> => {
  const template = await embeddedTemplate()
  // Node's own copying takes ten times as long for so many small files.
  await Promise.all([promisify(execFile)('cp', ['-r', template, directory]), holdEmbeddedCode()])
}

/**
 * Returns the folder of a migrated embedded database to copy. It is built once per version of PGlite
 * and set of migrations, because initdb and migrations take 15 s of processor time.
 */
export const embeddedTemplate = async (): Promise<string> => {
  const cache = fileURLToPath(new URL('../../../../node_modules/.cache/bi-manager/', import.meta.url))
  const template = join(cache, `pglite-${pglitePackage.version}-${await schemaDigest()}`)
  if (!existsSync(template)) {
    await mkdir(cache, { recursive: true })
    const building = await mkdtemp(join(cache, 'building-'))
    const db = await openDatabase({ dataDir: building, databaseUrl: undefined, onError: console.error })
    await migrate(db)
    await db.destroy()
    // Of two processes that build it concurrently one wins; both templates are equal.
    await rename(join(building, 'database'), template).catch(() => {})
    await rm(building, { recursive: true, force: true })
  }
  return template
}

/** Digest of all migrations. */
export const schemaDigest = async (): Promise<string> => {
  const folder = fileURLToPath(new URL('../../migrations/', import.meta.url))
  const digest = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    digest.update(name).update(await readFile(join(folder, name)))
  }
  return digest.digest('hex').slice(0, 12)
}

let compiled: Promise<object> | undefined

/**
 * Keeps PostgreSQL's compiled code. V8 drops it, with its optimisations, when the last database of
 * a process closes, and would compile it again for the next test file.
 */
const holdEmbeddedCode = (): Promise<object> => (compiled ??= compileEmbedded())

const compileEmbedded = async (): Promise<object> => {
  // Node has WebAssembly, but its types do not.
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { compile: (code: Uint8Array) => Promise<object> }
  }
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(pglite, 'pglite.wasm')))
}
