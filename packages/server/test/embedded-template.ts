import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rename, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import pglitePackage from '../../../node_modules/@electric-sql/pglite/package.json' with { type: 'json' }
import { migrate } from '../src/db/migrate.ts'
import { openDatabase } from '../src/db/open-database.ts'

/**
 * Puts a migrated embedded database, made once by the product's own opener, into a folder that does not exist yet: initdb and
 * the migrations take seconds, a copy does not. Another version of PGlite, or other migrations, make another.
 */
export const copyEmbedded = async (directory: string): Promise<void> => {
  const cache = fileURLToPath(new URL('../../../node_modules/.cache/bi-manager/', import.meta.url))
  const template = join(cache, `pglite-${pglitePackage.version}-${await schemaDigest()}`)
  if (!existsSync(template)) {
    await mkdir(cache, { recursive: true })
    const building = await mkdtemp(join(cache, 'building-'))
    const db = await openDatabase({ dataDir: building, databaseUrl: undefined, onError: console.error })
    await migrate(db)
    await db.destroy()
    // Of two workers that get here at once one wins; the other's copy is as good.
    await rename(join(building, 'database'), template).catch(() => {})
    await rm(building, { recursive: true, force: true })
  }
  // Of so many small files, Node's own copying takes ten times as long.
  await Promise.all([promisify(execFile)('cp', ['-r', template, directory]), holdEmbeddedCode()])
}

/** Of all migrations: another digest, another schema. */
export const schemaDigest = async (): Promise<string> => {
  const folder = fileURLToPath(new URL('../migrations/', import.meta.url))
  const digest = createHash('sha256')
  for (const name of (await readdir(folder)).sort()) {
    digest.update(name).update(await readFile(join(folder, name)))
  }
  return digest.digest('hex').slice(0, 12)
}

let compiled: Promise<object> | undefined

/**
 * V8 forgets PostgreSQL's code, and what it has made faster of it, when the last database of a process closes, and compiles
 * it anew for the next; held here, it lasts for all files that share the process.
 */
const holdEmbeddedCode = (): Promise<object> => (compiled ??= compileEmbedded())

const compileEmbedded = async (): Promise<object> => {
  // Node has it, but its types have not.
  const { WebAssembly } = globalThis as unknown as {
    WebAssembly: { compile: (code: Uint8Array) => Promise<object> }
  }
  const pglite = dirname(createRequire(import.meta.url).resolve('@electric-sql/pglite'))
  return WebAssembly.compile(await readFile(join(pglite, 'pglite.wasm')))
}
