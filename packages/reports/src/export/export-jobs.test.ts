import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import type { DrawExport } from './draw-export.ts'
import { createExportJobs } from './export-jobs.ts'

const task = { format: 'PDF' as const, reportId: 'r', sheets: [], token: () => '' }

async function outcomeOf(draw: DrawExport) {
  const parent = await mkdtemp(join(tmpdir(), 'exports-'))
  const log = { error: () => {} }
  const jobs = createExportJobs({ draw, folder: join(parent, 'x'), now: Date.now, log, timeoutMs: 50 })
  onTestFinished(async () => {
    await jobs.close()
    await rm(parent, { recursive: true })
  })
  const job = jobs.start({ owner: 'o', person: 'p', reportId: 'r', reportName: 'R' }, task)
  await expect.poll(() => job?.status, { timeout: 5_000 }).toBe('Failed')
  return job?.error
}

it('one that takes too long says so', async () => {
  const hanging: DrawExport = (_, signal) =>
    new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)))
  expect(await outcomeOf(hanging)).toEqual({
    code: 'ExportTimedOut',
    message: 'The export took longer than it may',
  })
})

it('one whose file is too large says so', async () => {
  const bytes = Object.defineProperty(new Uint8Array(0), 'length', { value: 250 * 2 ** 20 + 1 })
  expect(await outcomeOf(async () => ({ bytes, type: 'application/pdf', extension: '.pdf' }))).toEqual({
    code: 'ExportFileTooLarge',
    message: 'The file would be larger than 250 MB',
  })
})

it('exports of different people alternate, each person’s in their order', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'exports-'))
  const drawn: string[] = []
  const draw: DrawExport = async ({ reportId }) => {
    drawn.push(reportId)
    return { bytes: new Uint8Array(1), type: 'application/pdf', extension: '.pdf' }
  }
  const jobs = createExportJobs({ draw, folder: join(parent, 'x'), now: Date.now, log: { error: () => {} } })
  onTestFinished(async () => {
    await jobs.close()
    await rm(parent, { recursive: true })
  })
  for (const reportId of ['ana 1', 'ana 2', 'ana 3', 'bia 1', 'bia 2', 'caio 1']) {
    const [person = ''] = reportId.split(' ')
    jobs.start({ owner: 'o', person, reportId, reportName: 'R' }, { ...task, reportId })
  }
  await expect.poll(() => drawn, { timeout: 5_000 }).toHaveLength(6)
  expect(drawn).toEqual(['ana 1', 'bia 1', 'caio 1', 'ana 2', 'bia 2', 'ana 3'])
})

it('what went wrong within the service stays in its log', async () => {
  const broken: DrawExport = async () => {
    throw new Error('ENOENT: /home/x')
  }
  expect(await outcomeOf(broken)).toEqual({ code: 'ExportFailed', message: 'The file could not be drawn' })
})
