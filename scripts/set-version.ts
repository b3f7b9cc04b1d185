import { execFileSync } from 'node:child_process'
import { globSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * Writes one version into every package.json, including references between our packages, into the
 * lock file, and into the files that tell an operator which release to install.
 */

interface PackageJson {
  name: string
  version: string
  workspaces?: string[]
  dependencies?: Record<string, string>
  devDependencies?: Record<string, string>
}

/** Returns the paths of all package.json files, the root's first. */
export function packageFiles(root: string): string[] {
  const { workspaces = [] } = readJson(join(root, 'package.json'))
  return ['', ...globSync(workspaces, { cwd: root }).sort()].map((folder) =>
    join(root, folder, 'package.json'),
  )
}

export const readJson = (path: string): PackageJson => JSON.parse(readFileSync(path, 'utf8')) as PackageJson

/** Files that name the current version, and no other. */
export const installationFiles = ['docs/manual/instalacao.md', 'deploy/kubernetes/kustomization.yaml']

export function setVersion(root: string, version: string): void {
  const { version: current } = readJson(join(root, 'package.json'))
  for (const path of installationFiles.map((name) => join(root, name)))
    writeFileSync(path, readFileSync(path, 'utf8').replaceAll(current, version))
  const files = packageFiles(root)
  const own = new Set(files.map((path) => readJson(path).name))
  for (const path of files) {
    const content = readJson(path)
    content.version = version
    for (const dependencies of [content.dependencies, content.devDependencies]) {
      for (const name of Object.keys(dependencies ?? {})) {
        if (dependencies && own.has(name)) dependencies[name] = version
      }
    }
    writeFileSync(path, `${JSON.stringify(content, null, 2)}\n`)
  }
}

export function main(): void {
  const version = process.argv[3] ?? ''
  if (!/^\d+\.\d+\.\d+$/.test(version)) {
    console.error('Uso: npm run version:set -- 0.3.0')
    process.exitCode = 1
    return
  }
  const root = join(import.meta.dirname, '..')
  setVersion(root, version)
  execFileSync('npm', ['install', '--package-lock-only', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd: root,
    stdio: 'inherit',
  })
}
