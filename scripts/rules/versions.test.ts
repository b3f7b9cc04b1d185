import { once } from 'node:events'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isAtLeast } from '../../packages/server/src/platform/config/version.ts'
import { spawnServer, untilReady } from '../../packages/server/test/processes/killed-server.ts'
import { installationFiles, packageFiles, readJson, setVersion } from '../set-version.ts'

const root = join(import.meta.dirname, '../..')
const { version } = readJson(join(root, 'package.json'))
const changelog = readFileSync(join(root, 'CHANGELOG.md'), 'utf8')
const headings = [...changelog.matchAll(/^## (.*)$/gm)].map(([, text = '']) => text)
/** Unreleased changes may come first. */
const released = headings.filter((text) => text !== '[Não publicado]')
const folder = () => {
  const path = mkdtempSync(join(tmpdir(), 'bi-manager-version-'))
  onTestFinished(() => rmSync(path, { recursive: true, force: true }))
  return path
}

describe('the version', () => {
  test('the version is the same in every package.json, in the lock file, and first in CHANGELOG.md', () => {
    const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
      version: string
      packages: Record<string, { version: string }>
    }
    expect(released[0]?.split(' ')[0]).toBe(`[${version}]`)
    expect(lock.version).toBe(version)
    for (const path of packageFiles(root)) {
      const own = dirname(relative(root, path))
      expect([path, readJson(path).version]).toEqual([path, version])
      expect([path, lock.packages[own === '.' ? '' : own]?.version]).toEqual([path, version])
    }
  })

  test('the version is what the portal reports', { timeout: 240_000 }, async () => {
    const server = await spawnServer(folder())
    const ended = once(server.child, 'exit')
    try {
      expect(await untilReady(server), server.output()).toBe(true)
      const answer = await fetch(`${server.url}/api/openapi.json`)
      expect(await answer.json()).toMatchObject({ info: { version } })
    } finally {
      server.child.kill('SIGTERM')
      await ended
    }
  })

  test('the version is the one that an operator installs', () => {
    const manual = readFileSync(join(root, 'docs/manual/instalacao.md'), 'utf8')
    const named = [...manual.matchAll(/\bbi-manager-(\d+\.\d+\.\d+)/g)].map(([, number]) => number)
    expect([...new Set(named)]).toEqual([version])
    expect(readFileSync(join(root, 'deploy/kubernetes/kustomization.yaml'), 'utf8')).toContain(
      `newTag: "${version}"`,
    )
  })

  test('the version is written by setVersion into every package.json, references between packages, and installation files', () => {
    const copy = folder()
    for (const path of [...packageFiles(root), ...installationFiles.map((name) => join(root, name))]) {
      const target = join(copy, relative(root, path))
      mkdirSync(dirname(target), { recursive: true })
      cpSync(path, target)
    }
    setVersion(copy, '9.8.7')
    for (const name of installationFiles) {
      const text = readFileSync(join(copy, name), 'utf8')
      expect([name, text.includes('9.8.7'), text.includes(version)]).toEqual([name, true, false])
    }
    for (const path of packageFiles(copy)) {
      const { version: set, dependencies = {}, devDependencies = {} } = readJson(path)
      expect([path, set]).toEqual([path, '9.8.7'])
      const own = Object.entries({ ...dependencies, ...devDependencies }).filter(([name]) =>
        name.startsWith('@bi-manager/'),
      )
      expect(own.filter(([, wanted]) => wanted !== '9.8.7')).toEqual([])
    }
    const { dependencies, devDependencies } = readJson(join(copy, 'packages/e2e/package.json'))
    expect({ ...dependencies, ...devDependencies }).toHaveProperty('@bi-manager/server')
  })
})

describe('CHANGELOG.md', () => {
  test('CHANGELOG.md has a version and a valid date in each heading, newest first', () => {
    const parsed = released.map((text) => /^\[(\d+\.\d+\.\d+)\] - (\d{4}-\d{2}-\d{2})$/.exec(text) ?? [text])
    for (const [index, [text, number = '', date = '']] of parsed.entries()) {
      expect(number, `${text} is not '[1.2.3] - 2026-12-31'`).not.toBe('')
      expect(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10)).toBe(date)
      const [, older, earlier = ''] = parsed[index + 1] ?? []
      if (!older) continue
      expect(isAtLeast(older, number), `${older} is listed below ${number}`).toBe(false)
      expect(earlier <= date, `${older} is later than ${number}`).toBe(true)
    }
  })

  test('CHANGELOG.md uses only the kinds of changes of keepachangelog.com', () => {
    const kinds = [...changelog.matchAll(/^### (.*)$/gm)].map(([, kind]) => kind)
    const known = [
      'Adicionado',
      'Modificado',
      'Obsoleto',
      'Removido',
      'Corrigido',
      'Segurança',
      'Ao atualizar',
    ]
    expect(kinds.filter((kind) => !known.includes(kind ?? ''))).toEqual([])
  })
})
