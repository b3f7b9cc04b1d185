import { createHash } from 'node:crypto'
import {
  existsSync,
  globSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, isAbsolute, join, relative, resolve, sep } from 'node:path'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import packageJson from '../../package.json' with { type: 'json' }
import { isAlive } from '../../packages/reports/src/engine/data/database/is-alive.ts'

const repository = join(import.meta.dirname, '../..')
const from = (path: string) => join(repository, path)
const shared = ['package-lock.json', 'tsconfig.base.json', 'scripts/launch/build-pages.ts'].map(from)

/** One set of pages that Vite builds. Paths are absolute; `inputs` are files or folders. */
export type BuildTarget = (typeof targets)[number]

/** The pages of the manual with their pictures, and the schemas for the editor of definitions. */
const docs = ['docs/manual', 'docs/auditoria.md', 'docs/relatorios.md', 'docs/images', 'docs/schema'].map(
  from,
)

const targets = [
  {
    name: 'web',
    root: from('packages/web'),
    configFile: from('packages/web/vite.config.ts'),
    output: from('packages/web/dist'),
    inputs: [from('packages/web'), from('packages/contract/src'), ...docs, ...shared],
  },
  {
    name: 'reports/embed',
    root: from('packages/reports'),
    configFile: from('packages/reports/vite.config.ts'),
    output: from('packages/reports/dist/embed'),
    inputs: [
      from('packages/reports/vite.config.ts'),
      from('packages/reports/src'),
      from('packages/contract/src'),
      ...shared,
    ],
  },
]

/** Returns whether Vite is installed; `npm prune --omit=dev` and container images lack it. */
export const hasBuildTools = () => existsSync(from('node_modules/vite'))

/** Returns the targets whose build is missing or older than its inputs. */
export const staleTargets = (all = targets, force = false) =>
  all.filter((target) => force || builtHash(target) !== inputHash(target))

/**
 * Builds stale targets in parallel. Each result replaces the earlier build in one rename, so an
 * aborted build keeps the earlier one.
 * @throws the error of a build that fails; Error when a page has a file that is not among its inputs
 */
export async function buildStale({ force = false, all = targets } = {}) {
  const { NODE_ENV } = process.env
  // Vite takes the libraries' development code when a test or a shell sets another value.
  process.env.NODE_ENV = 'production'
  try {
    return await Promise.all(staleTargets(all, force).map(buildTarget))
  } finally {
    if (NODE_ENV === undefined) delete process.env.NODE_ENV
    else process.env.NODE_ENV = NODE_ENV
  }
}

const hashFile = '.build-hash'

async function buildTarget(target: BuildTarget) {
  const started = performance.now()
  // Computed before the build, so that a file changed during the build makes it stale.
  const hash = inputHash(target)
  const fresh = `${target.output}.new-${process.pid}`
  const old = `${target.output}.old-${process.pid}`
  removeLeftovers(target.output)
  mkdirSync(dirname(target.output), { recursive: true })
  const { build, loadConfigFromFile } = await import('vite')
  // Node loads the configuration itself, so that Vite writes nothing into node_modules.
  const configLoader = 'native'
  const command = { command: 'build', mode: 'production' } as const
  const given = await loadConfigFromFile(
    command,
    target.configFile,
    target.root,
    'warn',
    undefined,
    configLoader,
  )
  try {
    await build({
      // Vite would default to the working folder.
      root: resolve(target.root, given?.config.root ?? ''),
      configFile: target.configFile,
      configLoader,
      logLevel: 'warn',
      plugins: [refuseOtherFiles(target)],
      build: { outDir: fresh, emptyOutDir: true },
    })
    await pack(join(fresh, 'assets'))
    writeFileSync(join(fresh, hashFile), hash)
    moveAside(target.output, old)
    renameSync(fresh, target.output)
  } finally {
    rmSync(fresh, { recursive: true, force: true })
    rmSync(old, { recursive: true, force: true })
  }
  return { name: target.name, milliseconds: Math.round(performance.now() - started) }
}

/** Without it, a change of such a file would not make the build stale, and the image would lack the file. */
const refuseOtherFiles = ({ name, inputs }: BuildTarget) => ({
  name: 'refuse-other-files',
  moduleParsed({ id }: { id: string }) {
    const [path = ''] = id.split('?')
    if (!isAbsolute(path) || path.includes('/node_modules/') || !existsSync(path)) return
    const isInput = (input: string) => path === input || path.startsWith(input + sep)
    if (!inputs.some(isInput)) throw new Error(`${path} is not among the inputs of the pages ${name}`)
  },
})

/** Writes a compressed version next to each file, to save the server the work per request. */
async function pack(folder: string): Promise<void> {
  const files = globSync('**/*.{js,mjs,css,svg}', { cwd: folder }).map((name) => join(folder, name))
  await Promise.all(
    files.map(async (file) => {
      const content = readFileSync(file)
      if (content.length < 1024) return
      const params = {
        [constants.BROTLI_PARAM_QUALITY]: 9,
        [constants.BROTLI_PARAM_SIZE_HINT]: content.length,
      }
      writeFileSync(`${file}.br`, await promisify(brotliCompress)(content, { params }))
      writeFileSync(`${file}.gz`, await promisify(gzip)(content, { level: 9 }))
    }),
  )
}

function moveAside(output: string, old: string): void {
  try {
    renameSync(output, old)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
  }
}

/** Removes folders of killed builds; those of running builds contain the id of a living process. */
function removeLeftovers(output: string): void {
  for (const name of globSync(`${basename(output)}.{new,old}-*`, { cwd: dirname(output) })) {
    const pid = Number(name.split('-').at(-1))
    if (pid === process.pid || !isAlive(pid)) rmSync(join(dirname(output), name), { recursive: true })
  }
}

function builtHash(target: BuildTarget): string | undefined {
  try {
    return readFileSync(join(target.output, hashFile), 'utf8')
  } catch {
    return undefined
  }
}

const notInputs = ['**/node_modules', '**/dist', '**/dist.*', '**/*.test.*', '**/test']

function inputHash(target: BuildTarget): string {
  const hash = createHash('sha256')
  for (const path of target.inputs.flatMap(filesOf).sort()) {
    const content = readFileSync(path)
    hash.update(`${relative(target.root, path)}\0${content.length}\0`).update(content)
  }
  return hash.digest('hex')
}

function filesOf(input: string): string[] {
  const stats = statSync(input, { throwIfNoEntry: false })
  if (!stats?.isDirectory()) return stats ? [input] : []
  return globSync('**/*', { cwd: input, exclude: notInputs })
    .map((path) => join(input, path))
    .filter((path) => statSync(path, { throwIfNoEntry: false })?.isFile())
}

/** Builds what is stale, or everything with `--force`, and prints the duration. */
export async function main(): Promise<void> {
  try {
    const built = await buildStale({ force: process.argv.includes('--force') })
    for (const { name, milliseconds } of built) {
      console.log(`built ${name} in ${(milliseconds / 1000).toFixed(1)} s`)
    }
    if (built.length === 0) console.log('nothing to build: every page is up to date')
  } catch (error) {
    console.error(explainBuildError(error))
    process.exitCode = 1
  }
}

/** Returns what a person can do about a failed build, or the message of the tool that failed. */
export function explainBuildError(error: unknown): unknown {
  if (!(error instanceof Error)) return error
  // Vite's bundler says this; npm omits optional packages that ask for a newer Node than its own.
  if (!error.message.includes('Cannot find native binding')) return error.message
  const node = `node@${packageJson.dependencies.node}`
  return `Faltam programas de construção: o npm os deixa de fora quando roda com um Node anterior ao 20.19, como o do Debian 12. Instale outro (\`npm install --global ${node}\`), abra um terminal novo e rode \`npm ci\` outra vez.`
}

if (import.meta.main) await main()
