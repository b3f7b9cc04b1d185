import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { parseEnv } from 'node:util'
import { readConfig, Settings } from '@bi-manager/reports/config'
import { Environment, loadConfig } from '@bi-manager/server/platform/config/config'
import { secretSettings } from '@bi-manager/server/platform/config/secret-files'
import { generateX25519Identity, identityToRecipient } from 'age-encryption'
import { describe, expect, onTestFinished, test } from 'vitest'
import { scripts } from '../../package.json' with { type: 'json' }

/*
 * What operators type exists: commands, their options, and settings. settings-docs.test.ts compares
 * docs/manual/configuracao.md with the settings, and installation.long.ts runs the manual's commands.
 */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const pages = globSync(
  ['README.md', 'CONTRIBUTING.md', 'SECURITY.md', 'docs/*.md', 'docs/{manual,operacao,security}/*.md'],
  { cwd: root },
)
const files = globSync(['compose.yaml', 'deploy/**/*.{yaml,yml,env,service,sh,conf}'], { cwd: root })
const sources = globSync('{packages/*/src,scripts}/**/*.{ts,tsx,js}', {
  cwd: root,
  exclude: ['**/*.test.*', '**/dist/**'],
})

describe('commands', () => {
  test('each `npm run` that a page, a file or a message names exists', () => {
    const named = [...pages, ...files, ...sources].flatMap((path) =>
      [...read(path).matchAll(/npm run (?:-s )?([a-z]+(?:[:-][a-z]+)*)/g)].map(([, name = '']) => ({
        path,
        name,
      })),
    )
    expect(named.length).toBeGreaterThan(100)
    expect(named.filter(({ name }) => !(name in scripts))).toEqual([])
  })

  test('each option and action of a command that a page or a message names is accepted by it', () => {
    const calls = [...pages, ...files, ...sources].flatMap((path) =>
      [
        ...read(path).matchAll(
          /(?:npm run (?:-s )?([a-z]+(?:[:-][a-z]+)*) --|scripts\/run\.js ([a-z-]+)) +([^\n`#;)']*)/g,
        ),
      ].map(([, ofNpm, ofScript, words = '']) => ({
        path,
        name: ofNpm?.replace(':', '-') ?? ofScript ?? '',
        words,
      })),
    )
    const unknown = calls.flatMap(({ path, name, words }) => {
      const file = `scripts/${name}.ts`
      if (!sources.includes(file)) return []
      const options = [...words.matchAll(/--([a-z][a-z-]*)/g)].map(([, option = '']) => option)
      const known = [...read(file).matchAll(/'?([a-z-]+)'?: \{ type: '/g)].map(([, option]) => option)
      const [action] = words.split(/\s/)
      const actions = name === 'reports' ? ['publish', 'check', 'remove', 'schema'] : [action]
      return [
        ...options
          .filter((option) => !known.includes(option))
          .map((option) => `${path}: ${name} --${option}`),
        ...(actions.includes(action) ? [] : [`${path}: ${name} ${action}`]),
      ]
    })
    expect(calls.length).toBeGreaterThan(40)
    expect(unknown).toEqual([])
  })

  const fences = pages.flatMap((path) =>
    [...read(path).matchAll(/^```sh\n([\s\S]*?)^```/gm)].map(([, text = '']) => ({ path, text })),
  )

  test('no command of the manual needs what an empty Debian lacks: sudo', () => {
    const ofManual = fences.filter(({ path }) => path.startsWith('docs/manual/'))
    expect(ofManual.length).toBeGreaterThan(40)
    expect(ofManual.filter(({ text }) => /\bsudo\b/.test(text))).toEqual([])
  })

  test('each wait for /readyz retries until the portal answers, and prints no error on the way', () => {
    const waits = fences.flatMap(({ text }) => text.match(/^.*\/readyz$/gm) ?? [])
    expect(waits.length).toBeGreaterThan(1)
    expect(new Set(waits)).toEqual(
      new Set([
        'curl --silent --fail --retry 60 --retry-delay 1 --retry-all-errors http://127.0.0.1:3000/readyz',
      ]),
    )
  })

  // A program's environment is its user's own, its arguments are everybody's.
  test('no command of a page gives a password as an argument', () => {
    const telling = /-v \w*(?:password|senha)\w*=|--password[= ]|\b(?:env|sudo) [^\n]*PASSWORD=/i
    expect(fences.length).toBeGreaterThan(50)
    expect(fences.filter(({ text }) => telling.test(text))).toEqual([])
  })
})

const settings = new Set([
  ...Object.keys({ ...Settings.shape, ...Environment.shape }),
  ...secretSettings.map((name) => `${name}_FILE`),
])
/** Read by Node or by PostgreSQL's programs. */
const ofOthers = ['NODE_EXTRA_CA_CERTS', 'NODE_COMPILE_CACHE', 'PGOPTIONS', 'PGPASSWORD', 'ON_ERROR_STOP']

describe('settings', () => {
  test('each setting that a page or a file assigns exists, or is a variable of the commands', () => {
    const texts = [...pages, ...files].map((path) => ({ path, text: read(path) }))
    const programs = globSync('{packages,scripts}/**/*.ts', {
      cwd: root,
      exclude: ['**/{node_modules,dist}/**'],
    })
    const used = [...texts.map(({ text }) => text), ...programs.map(read)].join('\n')
    const unknown = texts.flatMap(({ path, text }) =>
      [...text.matchAll(/(?<=^|[\s`"'#(=-])([A-Z][A-Z\d]*(?:_[A-Z\d]+)*)=(?!=)/gm)]
        .map(([, name = '']) => name)
        .filter((name) => !settings.has(name) && !ofOthers.includes(name))
        .filter((name) => !new RegExp(`\\$\\{?${name}\\b|process\\.env\\.${name}\\b`).test(used))
        .map((name) => `${path}: ${name}`),
    )
    expect([...new Set(unknown)]).toEqual([])
  })

  /** A file of systemd with its commented lines, as an operator who needs each of them leaves it. */
  const complete = (path: string): Record<string, string | undefined> =>
    parseEnv(read(path).replaceAll(/^#(?=[A-Z_]+=)/gm, ''))

  test('the portal starts with each line of deploy/systemd/portal.env, commented ones included', async () => {
    const environment = complete('deploy/systemd/portal.env')
    const own = Object.keys(Environment.shape)
    expect(Object.keys(environment).filter((name) => !own.includes(name))).toEqual([])
    expect(environment.BACKUP_KEY).toBe('age1…')
    environment.NODE_EXTRA_CA_CERTS = join(mkdtempSync(join(tmpdir(), 'bi-manager-env-')), 'autoridades.pem')
    onTestFinished(() => rmSync(dirname(environment.NODE_EXTRA_CA_CERTS ?? ''), { recursive: true }))
    writeFileSync(environment.NODE_EXTRA_CA_CERTS, rootCertificates[0] ?? '')
    environment.BACKUP_KEY = await identityToRecipient(await generateX25519Identity())
    const { backup } = loadConfig(environment)
    expect(backup).toMatchObject({ schedule: '03:00' })
  })

  test('the report service starts with each line of deploy/systemd/reports.env', () => {
    const environment = complete('deploy/systemd/reports.env')
    const own = Object.keys(Settings.shape)
    expect(Object.keys(environment).filter((name) => !own.includes(name))).toEqual([])
    expect(readConfig(environment).reportsUrl).toBe('https://relatorios.empresa.com.br')
  })
})

describe('docs/manual/implantacao.md', () => {
  const page = read('docs/manual/implantacao.md')
  const [, list = ''] = /pode pular:\n([\s\S]*?)\n\n/.exec(page) ?? []
  const skipped = [...list.matchAll(/\[([^\]]+)\]\(#/g)].map(([, title = '']) => title)
  /** The chapters that also a portal without Microsoft, proxy, S3 and records needs. */
  const needed = [
    'Primeiro início',
    'Onde ficam os dados',
    'Processos que leem arquivos enviados',
    'TLS e proxy reverso',
    'Conexões de saída',
    'E-mail',
    'Serviço local de relatórios',
    'Sinais de vida',
    'Cópias de segurança e chaves',
  ]

  test('the list of what a local installation skips names each other chapter', () => {
    const chapters = [...page.matchAll(/^## (.+)$/gm)].map(([, title = '']) => title)
    const ofChapters = skipped.filter((title) => chapters.some((chapter) => chapter.startsWith(title)))
    expect(chapters.filter((title) => !ofChapters.some((start) => title.startsWith(start)))).toEqual(needed)
  })
})
