import { once } from 'node:events'
import { mkdtemp, readdir, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { copyEmbedded } from '../../test/embedded-template.ts'
import { killDuringWrites, spawnServer, untilReady } from '../../test/killed-server.ts'

// Run on the embedded project alone: vitest.config.ts leaves it out of the other.
describe('the embedded database', () => {
  test('keeps all it acknowledged through kill -9 (short form; the long one kills 20 times)', {
    timeout: 120_000,
  }, async () => {
    const { acknowledged, missing, complaints } = await killDuringWrites(2)
    expect(acknowledged).toBeGreaterThan(10)
    expect(missing).toBe(0)
    expect(complaints).toEqual([])
  })

  test('refuses a second process on the same folder with a clear sentence, and stops cleanly', {
    timeout: 60_000,
  }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-two-'))
    await copyEmbedded(join(dataDir, 'database'))
    const first = await spawnServer(dataDir)
    expect(await untilReady(first), first.output()).toBe(true)
    const second = await spawnServer(dataDir)
    const [code] = await once(second.child, 'exit')
    expect(code).toBe(78)
    expect(second.output().trim()).toBe(
      `A pasta de dados ${join(dataDir, 'database')} já está em uso por outro processo do BI Manager.`,
    )
    expect((await stat(join(dataDir, 'database'))).mode & 0o077).toBe(0)
    expect((await stat(join(dataDir, 'database.lock'))).mode & 0o077).toBe(0)
    first.child.kill('SIGTERM')
    const [stopped] = await once(first.child, 'exit')
    expect(stopped).toBe(0)
    await rm(dataDir, { recursive: true, force: true })
  })

  test('starts cleanly after a first start cut short', { timeout: 60_000 }, async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'bi-manager-first-'))
    for (const delay of [300, 900, 1500]) {
      const cut = await spawnServer(dataDir)
      await new Promise((resolve) => setTimeout(resolve, delay))
      cut.child.kill('SIGKILL')
      await once(cut.child, 'exit')
    }
    const server = await spawnServer(dataDir)
    expect(await untilReady(server), server.output()).toBe(true)
    server.child.kill('SIGTERM')
    await once(server.child, 'exit')
    expect((await readdir(dataDir)).filter((name) => name.endsWith('.new'))).toEqual([])
    await rm(dataDir, { recursive: true, force: true })
  })
})
