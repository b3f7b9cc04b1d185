import { execFileSync, spawnSync } from 'node:child_process'
import {
  accessSync,
  constants,
  existsSync,
  globSync,
  mkdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { delimiter, dirname, join } from 'node:path'

/** Where to search. The default is this machine; tests pass other places. */
export interface Search {
  env: Record<string, string | undefined>
  chromiumFolders: string[]
  postgresFolders: string[]
  /** Debian's Chromium without a user interface, which takes a third less processor time. */
  headlessShell: string
}

/** The oldest supported version of PostgreSQL. */
const oldestPostgres = 15

const thisMachine = (): Search => ({
  env: process.env,
  chromiumFolders: ['/usr/bin', '/usr/local/bin', '/snap/bin', '/opt/google/chrome'],
  postgresFolders: [
    ...globSync('/usr/lib/postgresql/*/bin'),
    ...globSync('/usr/pgsql-*/bin'),
    '/usr/local/pgsql/bin',
  ].sort((a, b) => b.localeCompare(a, 'en', { numeric: true })),
  headlessShell: '/usr/lib/chromium/chromium-headless-shell',
})

/** Returns the path of the browser of the journeys: the headless shell, or another Chromium. */
export const findTestBrowser = (search = thisMachine()): string | undefined =>
  !search.env.CHROMIUM_PATH && isExecutable(search.headlessShell)
    ? search.headlessShell
    : findChromium(search)

/** Returns the path of a Chromium or Chrome; CHROMIUM_PATH, when set, is the only candidate. */
export function findChromium(search = thisMachine()): string | undefined {
  const named = search.env.CHROMIUM_PATH
  if (named) return isExecutable(named) ? named : undefined
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome']
  return [...pathFolders(search), ...search.chromiumFolders]
    .flatMap((folder) => names.map((name) => join(folder, name)))
    .find((path) => isExecutable(path) && answersVersion(path))
}

export type PostgresBinaries = NonNullable<ReturnType<typeof findPostgres>>

/**
 * Finds PostgreSQL 15 or later: from PATH, pg_config, or usual folders.
 * @returns the folder of `initdb` and `postgres`, and the version, such as `15.13`
 */
export function findPostgres(search = thisMachine()) {
  for (const bin of [...pathFolders(search), ...pgConfigFolder(search), ...search.postgresFolders]) {
    if (!isExecutable(join(bin, 'initdb')) || !isExecutable(join(bin, 'postgres'))) continue
    const version = postgresVersion(join(bin, 'postgres'))
    if (version && Number.parseInt(version, 10) >= oldestPostgres) return { bin, version }
  }
  return undefined
}

/**
 * Returns the Debian packages whose tools are missing. A server of TEST_DATABASE_URL replaces the
 * PostgreSQL binaries.
 */
export function missingPackages(search = thisMachine()): string[] {
  const missing: string[] = []
  if (!findChromium(search)) missing.push('chromium')
  if (!search.env.TEST_DATABASE_URL && !findPostgres(search)) missing.push('postgresql')
  return missing
}

/**
 * Ensures the tools of the tests; as root on Debian, installs missing ones.
 * @throws Error whose message contains the command to run
 */
export function requireTools(search = thisMachine(), isRoot = process.getuid?.() === 0): void {
  const mayInstall = isRoot && isOnPath('apt-get', search)
  installMissing(search, mayInstall)
  if (mayInstall && !search.env.CHROMIUM_PATH) installHeadlessShell(search)
}

function installMissing(search: Search, mayInstall: boolean): void {
  const missing = missingPackages(search)
  if (missing.length === 0) return
  const command = `apt-get update && apt-get install -y --no-install-recommends ${missing.join(' ')}`
  const named = search.env.CHROMIUM_PATH
  if (named && missing.includes('chromium')) throw new Error(`CHROMIUM_PATH names no program: ${named}`)
  if (!mayInstall) {
    throw new Error(`The tests need ${missing.join(' and ')}. Run as root: ${command}`)
  }
  console.log(`Installing ${missing.join(' and ')} (${command})`)
  install(missing)
  const still = missingPackages(search)
  if (still.length > 0) throw new Error(`${still.join(' and ')} still missing after: ${command}`)
}

/** The journeys also run without it, so a failure only costs time. */
function installHeadlessShell(search: Search): void {
  if (isExecutable(search.headlessShell)) return
  try {
    install(['chromium-headless-shell'])
  } catch (error) {
    console.log(`The journeys will be slower without chromium-headless-shell: ${error}`)
  }
}

function install(packages: string[]): void {
  // Debian would create a cluster and start it on port 5432. A file in this folder prevents that
  // during the installation; it is removed afterwards, so that later choices are the owner's.
  const folder = '/etc/postgresql-common/createcluster.d'
  const noCluster = join(folder, 'bi-manager-tests.conf')
  if (packages.includes('postgresql')) {
    mkdirSync(folder, { recursive: true })
    writeFileSync(noCluster, 'create_main_cluster = false\n')
  }
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const apt = (...args: string[]) =>
    execFileSync('apt-get', ['-q', ...args], { env, stdio: ['ignore', 'inherit', 'inherit'] })
  try {
    apt('update')
    apt('install', '-y', '--no-install-recommends', ...packages)
  } finally {
    rmSync(noCluster, { force: true })
  }
}

/** Returns why this machine cannot run containers or machines with these programs, if it cannot. */
export const whyNotRootWith = (programs: string[]): string | undefined => {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'needs root on Linux'
  const missing = programs.filter((name) => !isOnPath(name))
  return missing.length > 0 ? `needs ${missing.join(', ')}` : undefined
}

const pathFolders = ({ env }: Search) => (env.PATH ?? '').split(delimiter).filter(Boolean)

export const isOnPath = (name: string, search = thisMachine()) =>
  pathFolders(search).some((folder) => isExecutable(join(folder, name)))

function pgConfigFolder(search: Search): string[] {
  const pgConfig = pathFolders(search)
    .map((folder) => join(folder, 'pg_config'))
    .find(isExecutable)
  if (!pgConfig) return []
  const answer = spawnSync(pgConfig, ['--bindir'], { encoding: 'utf8' })
  const folder = answer.stdout?.trim()
  return answer.status === 0 && folder && existsSync(folder) ? [folder] : []
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}

/** Some systems have a stub with the browser's name that only says what to install. */
const answersVersion = (path: string) =>
  spawnSync(path, ['--version'], { timeout: 20_000, stdio: 'ignore', cwd: dirname(path) }).status === 0

const postgresVersion = (path: string) =>
  spawnSync(path, ['--version'], { encoding: 'utf8' }).stdout?.match(/\d+(\.\d+)*/)?.[0]

/** Ensures the tools; without them, prints what to do and ends the process. */
export function requireToolsOrExit(): void {
  try {
    requireTools()
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    process.exit(1)
  }
}

/** Ensures the tools and prints where they are. */
export function main(): void {
  requireToolsOrExit()
  const postgres = findPostgres()
  console.log(`Chromium: ${findChromium()}, for the journeys ${findTestBrowser()}`)
  console.log(`PostgreSQL: ${postgres ? `${postgres.version} in ${postgres.bin}` : 'TEST_DATABASE_URL'}`)
}
