import { execFile, execFileSync } from 'node:child_process'
import { existsSync, globSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { promisify } from 'node:util'

/* Installs clients from npm and Debian into a folder, so that they are no dependencies of ours. */

const run = promisify(execFile)

/** Installs npm packages of exact versions: alias → `name@version`. */
export const installFromNpm = async (folder: string, packages: Record<string, string>): Promise<void> => {
  mkdirSync(folder, { recursive: true })
  const dependencies = Object.fromEntries(
    Object.entries(packages).map(([alias, name]) => [alias, `npm:${name}`]),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, dependencies }))
  await npmInstall(folder)
}

/** Installs the packages of a folder's package.json; their scripts do not run. */
export const npmInstall = async (folder: string): Promise<void> => {
  const options = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund', '--no-package-lock']
  await run('npm', ['install', ...options], { cwd: folder, maxBuffer: 2 ** 24 })
}

const debianPackages = ['python3-flask', 'python3-msal', 'python3-requests']
const modules = 'usr/lib/python3/dist-packages'

/** Returns why Debian's Python packages cannot be used; undefined when they can. */
export const whyNoPython = (): string | undefined => {
  if (!existsSync('/usr/bin/python3')) return "needs Debian's python3"
  try {
    execFileSync('dpkg', ['--version'], { stdio: 'ignore' })
    execFileSync('apt-get', ['--version'], { stdio: 'ignore' })
    return undefined
  } catch {
    return 'needs apt-get and dpkg'
  }
}

/**
 * Unpacks what is not installed of Flask, MSAL and Requests, without installing it.
 * @returns the folder for PYTHONPATH
 */
export const unpackPythonPackages = async (folder: string): Promise<string> => {
  mkdirSync(folder, { recursive: true })
  await run('apt-get', ['update'])
  const { stdout } = await run('apt-get', [
    'install',
    '--simulate',
    '--no-install-recommends',
    ...debianPackages,
  ])
  const missing = [...stdout.matchAll(/^Inst (\S+)/gm)].map(([, name = '']) => name)
  if (missing.length > 0) await run('apt-get', ['download', ...missing], { cwd: folder })
  for (const file of globSync(join(folder, '*.deb'))) await run('dpkg', ['-x', file, folder])
  return join(folder, modules)
}
