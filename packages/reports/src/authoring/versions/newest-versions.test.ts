import { mkdir, mkdtemp, rm, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createNewestVersions } from './newest-versions.ts'
import { versionFile, versionsFolder } from './version-files.ts'

const [ONE, OTHER] = ['e0000000-0000-4000-8000-000000000001', 'e0000000-0000-4000-8000-000000000002']

const start = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'versoes-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  /** Writes a version, which changed at this second. */
  const write = async (id: string, number: number, { author = 'ana', second = 1 } = {}) => {
    await mkdir(join(dataDir, versionsFolder(id), 'dados'), { recursive: true })
    const file = join(dataDir, versionFile(id, number))
    const rest = {
      at: '2026-01-01T00:00:00Z',
      origin: 'portal',
      changes: [],
      isDataOnly: false,
      report: '{}',
    }
    const dataset = { id: 'd', text: '{}', files: [], isOwn: true }
    await writeFile(file, JSON.stringify({ number, author, ...rest, dataset }))
    await utimes(file, second, second)
  }
  return { dataDir, write, newest: createNewestVersions(dataDir) }
}

test('the list of versions returns the newest version of each report, and how many there are', async () => {
  const { dataDir, write, newest } = await start()
  expect(await newest()).toEqual(new Map())
  for (const number of [2, 9, 10]) await write(ONE, number)
  await write(OTHER, 1, { author: 'rui' })
  await writeFile(join(dataDir, versionsFolder(ONE), 'dados', '11.json'), '{}')
  const found = await newest()
  expect(found.get(ONE)).toMatchObject({ count: 3, last: { number: 10, author: 'ana' } })
  expect(found.get(OTHER)).toMatchObject({ count: 1, last: { number: 1, author: 'rui' } })
})

test('the list of versions reads a file again only when it has changed', async () => {
  const { write, newest } = await start()
  await write(ONE, 1)
  await newest()
  await write(ONE, 1, { author: 'not read' })
  expect((await newest()).get(ONE)?.last?.author).toBe('ana')
  await write(ONE, 1, { author: 'rui', second: 2 })
  expect((await newest()).get(ONE)?.last?.author).toBe('rui')
  await write(ONE, 2, { author: 'bia' })
  expect((await newest()).get(ONE)).toMatchObject({ count: 2, last: { number: 2, author: 'bia' } })
})

test('the list of versions counts a damaged version without showing it', async () => {
  const { dataDir, write, newest } = await start()
  await write(ONE, 1)
  await writeFile(join(dataDir, versionFile(ONE, 2)), '{')
  expect((await newest()).get(ONE)).toEqual({ count: 2, last: undefined })
})
