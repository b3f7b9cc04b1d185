import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { freePorts } from '../../../../../scripts/machines/ports.ts'
import { expectDrawn, waitForRendered } from '../../browser/report-frame.ts'
import { visit } from '../../browser/visitor.ts'
import { reportsOf, signedInClient } from '../../people/api.ts'
import { people } from '../../people/people.ts'

/*
 * An installation whose files belong to root and whose services run as another user. The checkout
 * is mounted read-only, which requires root.
 */

const root = join(import.meta.dirname, '../../../../..')
const nobody = 65_534

const canMount = (): boolean => {
  try {
    execFileSync('unshare', ['--mount', 'true'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Mounts `$1` read-only at `$2`; runs the rest there as user `nobody`, in its own namespace. */
const readOnly = `mount --bind "$1" "$2" && mount -o remount,bind,ro "$2" && cd "$2" && shift 2 &&
  exec setpriv --reuid=${nobody} --regid=${nobody} --clear-groups --no-new-privs "$@"`

describe.skipIf(!canMount())('a read-only checkout run by an unprivileged user (needs root on Linux)', () => {
  let folder: string
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'bi-manager-read-only-'))
    mkdirSync(join(folder, 'app'))
    mkdirSync(join(folder, 'data'))
    execFileSync('cp', ['-r', `${inject('demoData')}/.`, join(folder, 'data')])
    for (const path of ['', 'app']) chownSync(join(folder, path), nobody, nobody)
    execFileSync('chown', ['-R', String(nobody), join(folder, 'data')])
  })
  afterAll(async () => {
    rmSync(folder, { recursive: true, force: true })
  })

  test('the launcher starts both services, and a person opens a report', { timeout: 180_000 }, async () => {
    const [port, reportsPort] = await freePorts(2)
    const command = ['node_modules/.bin/node', 'scripts/run.js', 'demo']
    const child = spawn(
      'unshare',
      ['--mount', 'sh', '-c', readOnly, 'sh', root, join(folder, 'app'), ...command],
      {
        env: {
          PATH: process.env.PATH,
          PORT: String(port),
          REPORTS_PORT: String(reportsPort),
          DATA_DIR: join(folder, 'data'),
        },
        stdio: ['ignore', 'pipe', 'pipe'],
      },
    )
    let output = ''
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    }
    try {
      await expect.poll(() => output, { timeout: 120_000 }).toContain('Pronto:')
      expect(() =>
        execFileSync('nsenter', ['-m', '-t', String(child.pid), 'touch', join(folder, 'app/x')], {
          stdio: 'pipe',
        }),
      ).toThrow(/Read-only file system/)
      const portal = `http://localhost:${port}`
      const { menu } = await signedInClient(portal, people.ana)
      const [report] = reportsOf(await menu())
      const visitor = await visit({ portal })
      await visitor.enter(people.ana, report?.path ?? '')
      await expectDrawn(await waitForRendered(visitor.page), 'a report of a read-only checkout')
      await visitor.close()
    } finally {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    expect(output).not.toMatch(/EROFS|EACCES|EPERM/)
  })
})
