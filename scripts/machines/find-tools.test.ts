import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  findChromium,
  findPostgres,
  findTestBrowser,
  missingPackages,
  requireTools,
  type Search,
} from './find-tools.ts'

let folder: string
const nowhere: Search = { env: {}, chromiumFolders: [], postgresFolders: [], headlessShell: '/no/such' }

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'bi-manager-tools-'))
  program('browser/chromium', 'echo Chromium 140')
  program('shell/chromium-headless-shell', 'echo Chromium 140')
  program('stub/chromium-browser', 'echo "install the snap" >&2; exit 10')
  for (const version of ['14.9', '15.13', '17.2']) {
    program(`pg-${version}/initdb`, ':')
    program(`pg-${version}/postgres`, `echo "postgres (PostgreSQL) ${version} (Debian)"`)
  }
  program('config/pg_config', `echo ${join(folder, 'pg-17.2')}`)
})
afterAll(() => rmSync(folder, { recursive: true }))

describe('findChromium', () => {
  test('findChromium searches CHROMIUM_PATH, the PATH and the usual folders', () => {
    const path = join(folder, 'browser/chromium')
    expect(findChromium({ ...nowhere, env: { CHROMIUM_PATH: path } })).toBe(path)
    expect(findChromium({ ...nowhere, env: { PATH: inFolder('browser') } })).toBe(path)
    expect(findChromium({ ...nowhere, chromiumFolders: [inFolder('browser')] })).toBe(path)
  })

  test('findChromium returns undefined when there is none, and ignores a stub', () => {
    expect(findChromium(nowhere)).toBeUndefined()
    expect(findChromium({ ...nowhere, chromiumFolders: [inFolder('stub')] })).toBeUndefined()
    expect(
      findChromium({
        ...nowhere,
        chromiumFolders: [inFolder('browser')],
        env: { CHROMIUM_PATH: '/no/such' },
      }),
    ).toBeUndefined()
  })
})

describe('findTestBrowser', () => {
  test('findTestBrowser prefers the headless shell to another Chromium, and CHROMIUM_PATH to both', () => {
    const headlessShell = join(folder, 'shell/chromium-headless-shell')
    const path = join(folder, 'browser/chromium')
    const both = { ...nowhere, headlessShell, chromiumFolders: [inFolder('browser')] }
    expect(findTestBrowser(both)).toBe(headlessShell)
    expect(findTestBrowser({ ...both, headlessShell: '/no/such' })).toBe(path)
    expect(findTestBrowser({ ...both, env: { CHROMIUM_PATH: path } })).toBe(path)
  })
})

describe('findPostgres', () => {
  test('findPostgres ignores versions before 15', () => {
    const found = findPostgres({ ...nowhere, postgresFolders: [inFolder('pg-14.9'), inFolder('pg-15.13')] })
    expect(found).toEqual({ bin: inFolder('pg-15.13'), version: '15.13' })
    expect(findPostgres({ ...nowhere, postgresFolders: [inFolder('pg-14.9')] })).toBeUndefined()
  })

  test('findPostgres searches pg_config, and prefers the PATH', () => {
    expect(findPostgres({ ...nowhere, env: { PATH: inFolder('config') } })?.version).toBe('17.2')
    const path = `${inFolder('config')}:${inFolder('pg-15.13')}`
    expect(findPostgres({ ...nowhere, env: { PATH: path } })?.version).toBe('15.13')
  })
})

describe('requireTools', () => {
  test('requireTools throws with the command to run for an ordinary user', () => {
    expect(() => requireTools(nowhere, false)).toThrow(
      'The tests need chromium and postgresql. Run as root: apt-get update && apt-get install -y --no-install-recommends chromium postgresql',
    )
  })

  test('requireTools throws for root without apt-get', () => {
    expect(() => requireTools(nowhere, true)).toThrow('The tests need chromium and postgresql.')
  })

  test('requireTools names only what is missing, and accepts a given server instead of PostgreSQL', () => {
    const browser = { ...nowhere, chromiumFolders: [inFolder('browser')] }
    expect(missingPackages(browser)).toEqual(['postgresql'])
    expect(missingPackages({ ...browser, env: { TEST_DATABASE_URL: 'postgres://x/y' } })).toEqual([])
  })

  test('requireTools reports a CHROMIUM_PATH that is not a program', () => {
    expect(() => requireTools({ ...nowhere, env: { CHROMIUM_PATH: '/no/such' } }, true)).toThrow(
      'CHROMIUM_PATH names no program: /no/such',
    )
  })
})

const inFolder = (name: string) => join(folder, name)

function program(path: string, script: string): void {
  const file = join(folder, path)
  mkdirSync(join(file, '..'), { recursive: true })
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}
