import { execFile } from 'node:child_process'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const run = join(import.meta.dirname, 'run.js')

test('run.js caches compiled code next to the packages', async () => {
  const kept = join(import.meta.dirname, '..', 'node_modules', '.cache', 'compiled')
  const { NODE_COMPILE_CACHE: _own, ...env } = process.env
  const other = join(kept, 'of-this-test')
  await promisify(execFile)(process.execPath, [run, 'reports'], { env }).catch(() => undefined)
  const files = await readdir(kept, { recursive: true })
  expect(files.length).toBeGreaterThan(20)
  // Another folder may be set, as for Node itself.
  await promisify(execFile)(process.execPath, [run, 'reports'], {
    env: { ...env, NODE_COMPILE_CACHE: other },
  }).catch(() => undefined)
  expect((await readdir(other, { recursive: true })).length).toBeGreaterThan(20)
  await rm(other, { recursive: true })
})
