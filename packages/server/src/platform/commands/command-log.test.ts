import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/* The kind: a collector that reads JSON gets lines that are none. */

const root = join(import.meta.dirname, '../../../../..')

const run = (args: string[], settings: Record<string, string>) => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-command-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const { stdout, stderr, status } = spawnSync(process.execPath, ['scripts/run.js', ...args], {
    cwd: root,
    env: { PATH: process.env.PATH, DATA_DIR: join(folder, 'data'), ...settings },
    encoding: 'utf8',
  })
  return { status, lines: `${stdout}${stderr}`.split('\n').filter(Boolean) }
}

test.each([
  ['backup', []],
  ['restore', ['/nowhere']],
  ['audit-verify', []],
  ['secrets-rotate', ['--unknown']],
])('%s writes only JSON when LOG_FORMAT is json', { timeout: 120_000 }, (command, args) => {
  const { status, lines } = run([command, ...args], { LOG_FORMAT: 'json' })
  expect(status).toBe(1)
  expect(lines.length).toBeGreaterThan(0)
  for (const line of lines) expect(JSON.parse(line)).toMatchObject({ service: 'comando', level: 'error' })
})

test('a command writes sentences otherwise', { timeout: 120_000 }, () => {
  const { lines } = run(['audit-verify'], {})
  expect(lines).toEqual([expect.stringMatching(/^Não há banco de dados em /)])
})
