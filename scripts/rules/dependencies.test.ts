import { globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { listFiles } from './read-imports.ts'

/* The dependency policy of CONTRIBUTING.md, as far as the lock file shows it. */

interface Manifest {
  workspaces?: string[]
  allowScripts?: Record<string, boolean>
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
  optionalDependencies?: Record<string, string>
  overrides?: object
}

interface Locked extends Manifest {
  version?: string
  resolved?: string
  integrity?: string
  link?: boolean
  dev?: boolean
  optional?: boolean
  deprecated?: string
  hasInstallScript?: boolean
  os?: string[]
  cpu?: string[]
}

const root = join(import.meta.dirname, '../..')
const read = <T>(path: string): T => JSON.parse(readFileSync(join(root, path), 'utf8')) as T

const main = read<Manifest>('package.json')
const folders = globSync(main.workspaces ?? [], { cwd: root })
const manifests = ['', ...folders].map((folder) => join(folder, 'package.json'))
const lock = read<{ packages: Record<string, Locked> }>('package-lock.json').packages
const installed = Object.entries(lock).filter(([path, { link }]) => path.includes('node_modules/') && !link)
const nameOf = (path: string): string => path.split('node_modules/').at(-1) ?? path

/** Commands. */
const isTool = new Set(['@biomejs/biome', 'node', 'typescript'])

describe('dependencies', () => {
  test.each(manifests)('%s names exact versions only, from the registry', (path) => {
    const { dependencies, devDependencies, optionalDependencies } = read<Manifest>(path)
    const all = Object.entries({ ...dependencies, ...devDependencies, ...optionalDependencies })
    const loose = all.filter(([, version]) => !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    expect(loose).toEqual([])
  })

  test.each(manifests)('%s names what a file of its package, or of the tools above it, uses', (path) => {
    const { dependencies, devDependencies } = read<Manifest>(path)
    const folder = dirname(path)
    const files = listFiles(root).filter(
      (file) =>
        /\.([cm]?[jt]sx?|css)$/.test(file) &&
        (file.startsWith(join(folder, '/')) || !/^(bench|packages)\//.test(file)),
    )
    const texts = files.map((file) => readFileSync(join(root, file), 'utf8')).join('\n')
    const all = Object.keys({ ...dependencies, ...devDependencies })
    const named = all.filter((name) => !name.startsWith('@types/') && !isTool.has(name))
    expect(named.filter((name) => !new RegExp(`['"\`]${name}['"\`/]`).test(texts))).toEqual([])
  })

  test('dependencies run an install script only when the root package allows it', () => {
    const running = installed.flatMap(([path, { hasInstallScript }]) =>
      hasInstallScript ? nameOf(path) : [],
    )
    expect(running).toEqual(Object.keys(main.allowScripts ?? {}))
  })

  test('dependencies are not deprecated', () => {
    expect(installed.filter(([, { deprecated }]) => deprecated).map(([path]) => path)).toEqual([])
  })

  test('dependencies are locked by version and digest, without URLs', () => {
    for (const [path, { version, integrity, resolved, optional, os, cpu }] of installed) {
      expect(version, path).toMatch(/^\d/)
      expect(resolved, path).toBeUndefined()
      // npm records no digest for other platforms' files that it never downloaded.
      if (optional && (os || cpu)) continue
      expect(integrity, path).toMatch(/^sha512-/)
    }
  })

  test('dependencies are locked for other platforms too', () => {
    const names = new Set(installed.map(([path]) => nameOf(path)))
    const missing = installed.flatMap(([path, { optionalDependencies }]) =>
      Object.keys(optionalDependencies ?? {})
        .filter((name) => !names.has(name))
        .map((name) => `${path} → ${name}`),
    )
    expect(missing).toEqual([])
    // Native packages must exist for all supported platforms.
    for (const family of ['@img/sharp', '@node-rs/argon2', '@duckdb/node-bindings', '@biomejs/cli']) {
      const members = [...names].filter((name) => name.startsWith(`${family}-`))
      for (const platform of [/linux-x64/, /linux-arm64/, /darwin-arm64/, /win32-x64/]) {
        expect(
          members.some((name) => platform.test(name)),
          `${family} for ${platform.source}`,
        ).toBe(true)
      }
    }
  })

  test('dependencies include no build tool when installed without development dependencies', () => {
    const kept = new Set(installed.filter(([, { dev }]) => !dev).map(([path]) => nameOf(path)))
    expect([...kept]).toEqual(expect.arrayContaining(['fastify', 'playwright-core', 'node']))
    const tools = ['vite', 'rolldown', 'esbuild', 'lightningcss', 'typescript', 'vitest', '@biomejs/biome']
    // Bundled into the pages, or used by tests only.
    const bundled = ['echarts', 'react', '@mantine/core', '@tabler/icons-react', 'axe-core', 'oidc-provider']
    expect([...tools, ...bundled].filter((name) => kept.has(name))).toEqual([])
  })

  test('dependencies of all manifests are in the lock file', () => {
    for (const folder of ['', ...folders]) {
      const { dependencies = {}, devDependencies = {} } = read<Manifest>(join(folder, 'package.json'))
      expect({ ...lock[folder]?.dependencies, ...lock[folder]?.devDependencies }, folder).toEqual({
        ...dependencies,
        ...devDependencies,
      })
    }
  })
})
