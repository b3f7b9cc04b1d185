import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { stablePort } from '../nodes/ports.ts'

/* The kind: a collector that reads JSON gets lines that are none. */

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'bi-manager-json-log-'))

/**
 * Runs in each process and thread of a program before its own code. A signal provokes the fault in
 * the main thread of the program itself.
 */
const preload = `
import { registerHooks } from 'node:module'
import { isMainThread } from 'node:worker_threads'
const place = isMainThread ? (process.send ? 'a child' : 'the program') : 'a thread'
setTimeout(() => {
  process.emitWarning('provoked in ' + place)
  process.stderr.write('said in ' + place + '\\n')
}, 1_000).unref()
if (place === 'the program') process.on('SIGUSR2', () => {
  if (process.env.FAULT === 'rejection') Promise.reject(new Error('provoked'))
  else setImmediate(() => { throw new Error('provoked') })
})
if (process.env.BROKEN) registerHooks({
  load: (url, context, next) => url.endsWith(process.env.BROKEN)
    ? { format: 'module', source: 'const const', shortCircuit: true }
    : next(url, context),
})
if (process.env.OLD_NODE) Object.defineProperty(process.versions, 'node', { value: process.env.OLD_NODE })
if (process.env.MISSING) registerHooks({
  resolve: (name, context, next) => {
    if (name.endsWith(process.env.MISSING)) throw new Error('missing: ' + name)
    return next(name, context)
  },
})
`

const programs = [
  { name: 'server', places: ['the program', 'a thread'] },
  { name: 'reports', places: ['the program', 'a child'] },
] as const
const minutes = 60_000

interface Line {
  level: string
  msg: string
  origin?: string
  err?: { message: string }
}

beforeAll(() => writeFileSync(join(folder, 'preload.mjs'), preload))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe.each(programs)('$name writes only JSON', ({ name, places }) => {
  const start = async (settings: Record<string, string>) => {
    const data = mkdtempSync(join(folder, `${name}-`))
    const child = spawn(process.execPath, [join(root, 'packages', name, 'src/main.ts')], {
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--import=${join(folder, 'preload.mjs')}`,
        LOG_FORMAT: 'json',
        DATA_DIR: data,
        REPORTS_DATA_DIR: data,
        PORT: String(await stablePort()),
        REPORTS_PORT: String(await stablePort()),
        ADMIN_EMAIL: 'voce@exemplo.com.br',
        ...settings,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    onTestFinished(() => void child.kill('SIGKILL'))
    let output = ''
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => {
        output += chunk.toString()
      })
    return { child, output: () => output, ended: once(child, 'close') as Promise<[number]> }
  }
  const linesOf = (output: string): Line[] =>
    output
      .split('\n')
      .filter(Boolean)
      .map((line) => {
        try {
          return JSON.parse(line)
        } catch {
          throw new Error(`not JSON: ${line}`)
        }
      })
  const provoke = (child: ChildProcess) => void child.kill('SIGUSR2')

  test.each([
    ['exception', 'uncaughtException'],
    ['rejection', 'unhandledRejection'],
  ])(
    'each program writes only JSON around warnings and an uncaught %s',
    { timeout: 4 * minutes },
    async (fault, origin) => {
      const { child, output, ended } = await start({ FAULT: fault })
      for (const said of [
        '"started"',
        ...places.flatMap((place) => [`provoked in ${place}`, `said in ${place}`]),
      ])
        await expect.poll(output, { timeout: 3 * minutes }).toContain(said)
      provoke(child)
      expect((await ended)[0]).toBe(1)
      const lines = linesOf(output())
      // No line of the log inside another.
      expect(lines.filter(({ msg }) => msg.startsWith('{'))).toEqual([])
      expect(lines.at(-1)).toMatchObject({
        level: 'fatal',
        msg: 'crashed',
        origin,
        err: { message: 'provoked' },
      })
    },
  )

  test.each([
    ['missing', { MISSING: '/config.ts' }, /missing: /],
    ['broken', { BROKEN: '/config.ts' }, /SyntaxError|Unexpected token/],
  ])(
    'each program writes only JSON when a module of it is %s',
    { timeout: minutes },
    async (_how, settings, reason) => {
      const { output, ended } = await start(settings)
      expect((await ended)[0]).not.toBe(0)
      const lines = linesOf(output())
      expect(lines).toEqual([expect.objectContaining({ level: 'fatal' })])
      expect(output()).toMatch(reason)
    },
  )
})

describe('scripts/run.js', () => {
  const run = (args: string[], settings: Record<string, string>) => {
    const { stdout, stderr, status } = spawnSync(process.execPath, [join(root, 'scripts/run.js'), ...args], {
      env: {
        PATH: process.env.PATH,
        NODE_OPTIONS: `--import=${join(folder, 'preload.mjs')}`,
        DATA_DIR: join(folder, 'none'),
        ...settings,
      },
      encoding: 'utf8',
    })
    return { status, lines: `${stdout}${stderr}`.split('\n').filter(Boolean) }
  }
  const faults = [
    ['an old Node', { OLD_NODE: '20.1.0' }, /Node 24/],
    ['a missing program', { MISSING: '/start.ts' }, /missing: /],
    ['a broken program', { BROKEN: '/start.ts' }, /SyntaxError|Unexpected token/],
    ['a missing log', { MISSING: '/logging' }, /missing: /],
  ] as const

  test.each(faults)(
    'scripts/run.js writes only JSON with %s',
    { timeout: minutes },
    (_how, settings, reason) => {
      const formats: Record<string, string>[] = [{ LOG_FORMAT: 'json' }, {}]
      for (const format of formats) {
        const { status, lines } = run(['start'], { ...settings, ...format })
        expect(status).toBe(1)
        expect(lines).toHaveLength(1)
        expect(JSON.parse(lines[0] ?? '')).toMatchObject({
          level: 'fatal',
          service: 'npm',
          time: expect.stringMatching(/^\d{4}-.*Z$/),
          pid: expect.any(Number),
          msg: expect.any(String),
        })
        expect(lines[0]).toMatch(reason)
      }
    },
  )

  test('scripts/run.js writes a sentence for a person', { timeout: minutes }, () => {
    const { lines } = run(['backup'], { OLD_NODE: '20.1.0' })
    expect(lines).toEqual([expect.stringMatching(/^Este comando precisa do Node 24 \(este é o 20\.1\.0\)/)])
  })
})
