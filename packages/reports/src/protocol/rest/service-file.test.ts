import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { ensureServiceFile, type ServiceFile } from './service-file.ts'

const folder = async () => {
  const dir = await mkdtemp(join(tmpdir(), 'service-'))
  onTestFinished(() => rm(dir, { recursive: true }))
  return dir
}

test('the service file creates the file once, readable by its owner only, and reads it from then on', async () => {
  const dir = join(await folder(), 'novo')
  const first = await ensureServiceFile(dir)
  expect(first.applications[0]?.clientSecret.length).toBeGreaterThanOrEqual(43)
  expect(first.users[0]?.password.length).toBeGreaterThanOrEqual(32)
  expect((await stat(join(dir, 'service.json'))).mode & 0o777).toBe(0o600)
  expect((await stat(dir)).mode & 0o777).toBe(0o700)
  expect(await ensureServiceFile(dir)).toEqual(first)
  expect(await readdir(dir)).toEqual(['service.json'])
})

test('the service file creates one file when several processes start at once, and reports it once', async () => {
  const dir = await folder()
  const told: ServiceFile[] = []
  const start = () => ensureServiceFile(dir, (created) => told.push(created))
  const results = await Promise.all(Array.from({ length: 8 }, start))
  expect(new Set(results.map(({ signingKey }) => signingKey)).size).toBe(1)
  expect(told).toEqual([results[0]])
  expect(await readdir(dir)).toEqual(['service.json'])
})

test.each(['', '{', '{"tenantId":"x"}'])(
  'an unusable file (%s) stops the start and is not changed',
  async (text) => {
    const dir = await folder()
    await writeFile(join(dir, 'service.json'), text)
    await expect(ensureServiceFile(dir)).rejects.toThrow(/service\.json não pode ser usado: /)
    expect(await readFile(join(dir, 'service.json'), 'utf8')).toBe(text)
  },
)
