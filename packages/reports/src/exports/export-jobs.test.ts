import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, onTestFinished, test, vi } from 'vitest'
import type { RenderExport } from './draw-export.ts'
import { createExportJobs, type ExportJobs } from './export-jobs.ts'
import { createJobFiles, EXPORTS_DIR } from './job-files.ts'

const task = { format: 'PDF' as const, reportId: 'r', identities: [], sheets: [] }
const about = { owner: 'o', person: 'p', reportId: 'r', reportName: 'R' }
const drawn: RenderExport = async () => ({
  bytes: new Uint8Array(1),
  type: 'application/pdf',
  extension: '.pdf',
})
/** Never finishes until aborted. */
const hanging: RenderExport = (_, signal) =>
  new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))

const dataFolder = async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'exports-'))
  onTestFinished(() => rm(dataDir, { recursive: true }))
  return dataDir
}

/** Returns an instance over the folder that polls for work frequently. */
const instance = (
  dataDir: string,
  draw: RenderExport | undefined,
  more: Partial<Parameters<typeof createExportJobs>[0]> = {},
) => {
  const log = { error: vi.fn(), warn: vi.fn() }
  const jobs = createExportJobs({
    files: createJobFiles(dataDir),
    rendererOf: { sheets: async () => draw, workbooks: async () => draw },
    now: Date.now,
    log,
    timeoutMs: 500,
    lookMs: 20,
    lostMs: 300,
    ...more,
  })
  onTestFinished(() => jobs.close())
  return { ...jobs, log }
}

const started = async (jobs: ExportJobs, more: object = {}) => {
  const job = await jobs.start({ ...about, ...more }, task)
  if (!job) throw new Error('the queue is full')
  return job.id
}

const statusOf = (jobs: ExportJobs, id: string) => async () => (await jobs.find(id, 'o', 'r'))?.status

const outcomeOf = async (draw: RenderExport) => {
  const jobs = instance(await dataFolder(), draw)
  const id = await started(jobs)
  await expect.poll(statusOf(jobs, id), { timeout: 5_000 }).toBe('Failed')
  return (await jobs.find(id, 'o', 'r'))?.error
}

test('the queue of exports fails an export that takes too long with that reason', async () => {
  expect(await outcomeOf(hanging)).toEqual({
    code: 'ExportTimedOut',
    message: 'The export took longer than it may',
  })
})

test('the queue of exports fails an export whose file is too large with that reason', async () => {
  const bytes = Object.defineProperty(new Uint8Array(0), 'length', { value: 250 * 2 ** 20 + 1 })
  expect(await outcomeOf(async () => ({ bytes, type: 'application/pdf', extension: '.pdf' }))).toEqual({
    code: 'ExportFileTooLarge',
    message: 'The file would be larger than 250 MB',
  })
})

test('the queue of exports logs the cause of an unexpected failure instead of returning it', async () => {
  const broken: RenderExport = async () => {
    throw new Error('ENOENT: /home/x')
  }
  expect(await outcomeOf(broken)).toEqual({ code: 'ExportFailed', message: 'The file could not be drawn' })
})

test("the queue of exports alternates between people, in each person's order", async () => {
  const order: string[] = []
  const dataDir = await dataFolder()
  const jobs = instance(dataDir, undefined)
  for (const reportId of ['ana 1', 'ana 2', 'ana 3', 'bia 1', 'bia 2', 'caio 1']) {
    const [person = ''] = reportId.split(' ')
    await jobs.start({ ...about, person, reportId }, { ...task, reportId })
  }
  instance(dataDir, async (given, ...more) => {
    order.push(given.reportId)
    return drawn(given, ...more)
  })
  await expect.poll(() => order, { timeout: 5_000 }).toHaveLength(6)
  expect(order).toEqual(['ana 1', 'bia 1', 'caio 1', 'ana 2', 'bia 2', 'ana 3'])
})

test('the queue of exports refuses the 21st waiting export, even if other instances accepted the rest', async () => {
  const dataDir = await dataFolder()
  const [a, b] = [instance(dataDir, undefined), instance(dataDir, undefined)]
  for (let count = 0; count < 10; count += 1) await Promise.all([started(a), started(b)])
  expect(await a.start(about, task)).toBeUndefined()
  expect(await b.start(about, task)).toBeUndefined()
})

test('an instance renders what another one has accepted, and both return it', async () => {
  const dataDir = await dataFolder()
  const without = instance(dataDir, undefined)
  const id = await started(without)
  const able = instance(dataDir, drawn)
  await expect.poll(statusOf(without, id)).toBe('Succeeded')
  for (const jobs of [without, able]) {
    const job = await jobs.find(id, 'o', 'r')
    expect(job?.task).toBeUndefined()
    expect(job && (await jobs.readFile(job))).toHaveLength(1)
    expect(await jobs.find(id, 'another application', 'r')).toBeUndefined()
    expect(await jobs.find(id, 'o', 'another report')).toBeUndefined()
  }
})

test('two instances render each of many exports once', async () => {
  const dataDir = await dataFolder()
  const counts = new Map<string, number>()
  const counting: RenderExport = async (given, ...more) => {
    counts.set(given.reportId, (counts.get(given.reportId) ?? 0) + 1)
    return drawn(given, ...more)
  }
  const both = [instance(dataDir, counting), instance(dataDir, counting)] as const
  const reports = Array.from({ length: 12 }, (_, index) => `r${index}`)
  for (const [index, reportId] of reports.entries())
    await both[index % 2 ? 1 : 0].start({ ...about, reportId }, { ...task, reportId })
  await expect.poll(() => counts.size, { timeout: 10_000 }).toBe(12)
  await both[0].close()
  await both[1].close()
  expect([...counts.values()]).toEqual(Array(12).fill(1))
  const names = await readdir(join(dataDir, EXPORTS_DIR))
  expect(names.filter((name) => !/\.(json|pdf)$/.test(name))).toEqual([])
})

test('an instance that closes leaves its export to another one at once', async () => {
  const dataDir = await dataFolder()
  const first = instance(dataDir, hanging)
  const id = await started(first)
  await expect.poll(statusOf(first, id)).toBe('Running')
  await first.close()
  const next = instance(dataDir, drawn)
  const before = performance.now()
  await expect.poll(statusOf(next, id), { interval: 10 }).toBe('Succeeded')
  expect(performance.now() - before).toBeLessThan(300)
})

test('an instance does not take over an export while its heartbeat continues', async () => {
  const dataDir = await dataFolder()
  // A busy machine delays a heartbeat by less than two seconds, and the export takes twice as long.
  const limits = { timeoutMs: 4_000, lostMs: 2_000 }
  const first = instance(dataDir, hanging, limits)
  const second = instance(dataDir, drawn, limits)
  const id = await started(first)
  await expect.poll(statusOf(first, id)).toBe('Running')
  await expect.poll(statusOf(second, id), { timeout: 20_000 }).toBe('Failed')
})

test('the queue of exports takes an export over when its heartbeat stops, and fails it after three dead instances', async () => {
  const dataDir = await dataFolder()
  const without = instance(dataDir, undefined)
  const [taken, lost] = [await started(without), await started(without)]
  // The state that instances killed during rendering leave.
  const files = createJobFiles(dataDir)
  await files.claim(taken, 1)
  for (const attempt of [1, 2, 3]) await files.claim(lost, attempt)
  const next = instance(dataDir, drawn)
  expect(await statusOf(next, taken)()).toBe('NotStarted')
  await expect.poll(statusOf(next, taken), { timeout: 5_000 }).toBe('Succeeded')
  await expect.poll(statusOf(next, lost), { timeout: 5_000 }).toBe('Failed')
  expect((await next.find(lost, 'o', 'r'))?.error).toEqual({
    code: 'ExportInterrupted',
    message: 'The service ended each time while it drew the file',
  })
  const claims = async () => (await readdir(files.folder)).filter((name) => name.endsWith('.claim'))
  // They are removed after the record says that it failed.
  await expect.poll(claims).toEqual([])
})

test('the queue of exports writes a spreadsheet while sheets are drawn', async () => {
  const written: RenderExport = async () => ({ bytes: new Uint8Array(1), type: 'x', extension: '.xlsx' })
  const jobs = instance(await dataFolder(), hanging, {
    rendererOf: { sheets: async () => hanging, workbooks: async () => written },
  })
  const sheets = await started(jobs)
  await expect.poll(statusOf(jobs, sheets)).toBe('Running')
  const workbook = await jobs.start(about, { ...task, format: 'XLSX' })
  await expect.poll(statusOf(jobs, workbook?.id ?? '')).toBe('Succeeded')
  expect(await statusOf(jobs, sheets)()).toBe('Running')
})

test('the queue of exports fails an export that no instance renders within an hour', async () => {
  let later = 0
  const jobs = instance(await dataFolder(), undefined, { now: () => Date.now() + later })
  const id = await started(jobs)
  later = 3_600_001
  await expect.poll(statusOf(jobs, id)).toBe('Failed')
  expect((await jobs.find(id, 'o', 'r'))?.error?.code).toBe('ExportTimedOut')
})

test('an export expires at every instance an hour after it was rendered', async () => {
  const dataDir = await dataFolder()
  let later = 0
  const now = () => Date.now() + later
  const [first, second] = [instance(dataDir, drawn, { now }), instance(dataDir, undefined, { now })]
  const id = await started(first)
  await expect.poll(statusOf(second, id)).toBe('Succeeded')
  later = 3_590_000
  expect(await statusOf(second, id)()).toBe('Succeeded')
  later = 3_600_000
  expect(await statusOf(second, id)()).toBeUndefined()
  expect(await statusOf(first, id)()).toBeUndefined()
  await expect.poll(() => readdir(join(dataDir, EXPORTS_DIR))).toEqual([])
})

test('the queue of exports keeps the 100 newest finished exports', async () => {
  const dataDir = await dataFolder()
  const files = createJobFiles(dataDir)
  await files.prepare()
  const idOf = (index: number) => String(index).padStart(32, '0')
  const done = {
    ...about,
    status: 'Succeeded',
    percentComplete: 100,
    created: 0,
    expires: Date.now() + 60_000,
  }
  for (let index = 0; index < 101; index += 1) {
    await files.write({ ...done, status: 'Succeeded', id: idOf(index), changed: index })
  }
  const jobs = instance(dataDir, drawn)
  const id = await started(jobs)
  await expect.poll(async () => (await readdir(files.folder)).length, { timeout: 10_000 }).toBe(101)
  const ids = new Set((await files.list()).ids)
  expect([ids.has(idOf(0)), ids.has(idOf(1)), ids.has(idOf(2)), ids.has(id)]).toEqual([
    false,
    false,
    true,
    true,
  ])
})

test.each([
  ['half of its text', '{"id":"'],
  ['another id', '{}'],
  ['nothing', ''],
])('a record with %s affects only its own export, and is logged', async (_what, text) => {
  const dataDir = await dataFolder()
  const jobs = instance(dataDir, drawn)
  const [damaged, whole] = [await started(jobs), await started(jobs)]
  await expect.poll(statusOf(jobs, whole)).toBe('Succeeded')
  await writeFile(join(dataDir, EXPORTS_DIR, `${damaged}.json`), text)
  const other = instance(dataDir, drawn)
  await expect(other.find(damaged, 'o', 'r')).rejects.toThrow('cannot be read')
  expect(await statusOf(other, whole)()).toBe('Succeeded')
  const next = await started(other)
  await expect.poll(statusOf(other, next)).toBe('Succeeded')
  expect(other.log.error).toHaveBeenCalledExactlyOnceWith(
    { err: expect.any(Error), exportId: damaged },
    'an export is damaged',
  )
})

test('only a valid export id becomes a path', async () => {
  const dataDir = await dataFolder()
  const outside = '../../etc/passwd'.padEnd(32, 'x')
  await writeFile(join(dataDir, 'service.json'), '{}')
  const jobs = instance(dataDir, undefined)
  await started(jobs)
  for (const id of [outside, '../service', '', `${'a'.repeat(31)}/`, `${'a'.repeat(32)}\n`, '.'.repeat(32)])
    expect(await jobs.find(id, 'o', 'r')).toBeUndefined()
  const files = createJobFiles(dataDir)
  expect(() => files.writeFile(outside, 1, '.pdf', new Uint8Array())).toThrow('not an export id')
})

test("folder and files are accessible to the service's user only", async () => {
  const dataDir = await dataFolder()
  const jobs = instance(dataDir, drawn)
  const id = await started(jobs)
  await expect.poll(statusOf(jobs, id)).toBe('Succeeded')
  const mode = async (path: string) => ((await stat(path)).mode & 0o777).toString(8)
  const folder = join(dataDir, EXPORTS_DIR)
  expect(await mode(folder)).toBe('700')
  for (const name of await readdir(folder)) expect(await mode(join(folder, name))).toBe('600')
})

const small = mkdtempSync(join(tmpdir(), 'exports-small-'))
const canMount = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'exports', small]).status === 0
afterAll(() => {
  if (canMount) execFileSync('umount', ['-l', small])
  rmSync(small, { recursive: true })
})

test.skipIf(!canMount)('an export whose end does not fit on the disk is forgotten (needs root)', async () => {
  const filling: RenderExport = async (...given) => {
    spawnSync('dd', ['if=/dev/zero', `of=${small}/fill`, 'bs=1k'])
    return drawn(...given)
  }
  const jobs = instance(small, filling)
  const id = await started(jobs)
  await expect.poll(statusOf(jobs, id), { timeout: 5_000 }).toBe(undefined)
  expect(jobs.log.error.mock.calls.map(([, message]) => message)).toEqual([
    'an export failed',
    'the folder of exports cannot be used',
  ])
  await expect.poll(() => readdir(join(small, EXPORTS_DIR))).toEqual([])
  spawnSync('dd', ['if=/dev/zero', `of=${small}/fill`, 'bs=1k'])
  await expect(started(jobs)).rejects.toMatchObject({ code: 'ENOSPC' })
})
