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
  const job = jobs.start({ owner: 'o', reportId: 'r', reportName: 'R' }, task)
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

it('what went wrong within the service stays in its log', async () => {
  const broken: DrawExport = async () => {
    throw new Error('ENOENT: /home/x')
  }
  expect(await outcomeOf(broken)).toEqual({ code: 'ExportFailed', message: 'The file could not be drawn' })
})
