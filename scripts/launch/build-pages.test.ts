import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { dependencies } from '../../package.json' with { type: 'json' }
import { type BuildTarget, buildStale, explainBuildError, staleTargets } from './build-pages.ts'

let root: string
let target: BuildTarget

beforeEach(() => {
  root = mkdtempSync(join(tmpdir(), 'bi-manager-build-'))
  write('index.html', '<script type="module" src="./main.js"></script>')
  write('main.js', "document.title = 'first'")
  write('vite.config.mjs', 'export default { build: { assetsInlineLimit: 0 } }')
  target = {
    name: 'page',
    root,
    configFile: join(root, 'vite.config.mjs'),
    output: join(root, 'dist'),
    inputs: [root],
  }
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(root, { recursive: true })
})

describe('buildStale', () => {
  test('buildStale builds once, and again only when an input changes', async () => {
    expect((await build()).map(({ name }) => name)).toEqual(['page'])
    expect(builtScript()).toContain('first')
    expect(await build()).toEqual([])
    write('main.js', "document.title = 'second'")
    expect(await build()).toHaveLength(1)
    expect(builtScript()).toContain('second')
    expect(await build({ force: true })).toHaveLength(1)
  })

  test('buildStale ignores tests and installed packages, and notices new files and the configuration', async () => {
    await build()
    write('main.test.js', 'test')
    mkdirSync(join(root, 'node_modules/other'), { recursive: true })
    write('node_modules/other/index.js', '0')
    expect(staleTargets([target])).toEqual([])
    write('extra.js', '1')
    expect(staleTargets([target])).toEqual([target])
    await build()
    write('vite.config.mjs', 'export default {}')
    expect(staleTargets([target])).toEqual([target])
  })

  test('buildStale refuses a page with a file that is not among the inputs', async () => {
    const other = mkdtempSync(join(tmpdir(), 'bi-manager-other-'))
    try {
      writeFileSync(join(other, 'schema.json'), '{}')
      write('main.js', `import schema from '${join(other, 'schema.json')}'\ndocument.title = String(schema)`)
      await expect(build()).rejects.toThrow('schema.json is not among the inputs of the pages page')
    } finally {
      rmSync(other, { recursive: true })
    }
  })

  test('buildStale keeps the earlier build when a build fails, and leaves no other folder', async () => {
    await build()
    write('main.js', "import './absent.js'")
    await expect(build()).rejects.toThrow('absent.js')
    expect(builtScript()).toContain('first')
    expect(staleTargets([target])).toEqual([target])
    expect(readdirSync(root).filter((name) => name.startsWith('dist'))).toEqual(['dist'])
  })

  test.each(['development', 'test'])(
    'buildStale builds for production with NODE_ENV=%s',
    async (environment) => {
      vi.stubEnv('NODE_ENV', environment)
      write('main.js', 'document.title = process.env.NODE_ENV')
      await build()
      expect(builtScript()).toContain('production')
      expect(process.env.NODE_ENV).toBe(environment)
    },
  )

  test('buildStale removes the folder of a killed build', async () => {
    // No process has an id this high.
    mkdirSync(join(root, 'dist.new-99999999'))
    await build()
    expect(existsSync(join(root, 'dist.new-99999999'))).toBe(false)
  })
})

describe('explainBuildError', () => {
  // The installation test shows that npm of Debian 12 leads here.
  test('explainBuildError names the Node to install when npm left the bundler out', () => {
    const sentence = String(explainBuildError(new Error('Cannot find native binding. npm has a bug …')))
    expect(sentence).toContain(`npm install --global node@${dependencies.node}`)
    expect(sentence).not.toContain('npm has a bug')
  })

  test('explainBuildError repeats what another failure says', () => {
    expect(explainBuildError(new Error('absent.js is missing'))).toBe('absent.js is missing')
  })
})

const build = (options = {}) => buildStale({ all: [target], ...options })

const write = (path: string, content: string) => writeFileSync(join(root, path), content)

function builtScript(): string {
  const assets = join(root, 'dist/assets')
  const [name] = readdirSync(assets)
  return readFileSync(join(assets, name ?? ''), 'utf8')
}
