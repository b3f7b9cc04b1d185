import { globSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { staleTargets } from '../launch/build-pages.ts'
import { targets } from './containers.ts'

/* Checks the images without building them; packages/e2e/src/containers.long.ts builds them. */

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')
const dockerfile = read('Dockerfile')

interface Service {
  build: { target: string }
  read_only: boolean
  cap_drop: string[]
  security_opt: string[]
  environment?: Record<string, string>
  ports?: string[]
}
const { services }: { services: Record<string, Service> } = parse(read('compose.yaml'), { merge: true })

describe('the Dockerfile', () => {
  test('the Dockerfile copies the package.json of every workspace before it installs', () => {
    const { workspaces } = JSON.parse(read('package.json'))
    const folders = globSync(
      workspaces.map((pattern: string) => `${pattern}/package.json`),
      { cwd: root },
    )
    const copied = [...dockerfile.matchAll(/^COPY (\S+\/package\.json) (\S+)\/$/gm)]
    expect(copied.map(([, file]) => file).toSorted()).toEqual(folders.toSorted())
    for (const [, file, folder] of copied) expect(file).toBe(`${folder}/package.json`)
  })

  test('the Dockerfile builds the pages from files that .dockerignore lets in', () => {
    const [, ...rules] = read('.dockerignore')
      .trim()
      .split(/\n(?!#)/)
      .filter((rule) => !rule.startsWith('#'))
    const isLetIn = (path: string) =>
      rules.reduce((isIn, rule) => {
        const pattern = rule.replace(/^!/, '')
        return path === pattern || path.startsWith(`${pattern}/`) ? rule.startsWith('!') : isIn
      }, false)
    const inputs = staleTargets(undefined, true).flatMap((target) => target.inputs)
    const kept = inputs.map((path) => relative(root, path))
    expect(kept).toContain('docs/manual')
    expect(kept.filter((path) => !isLetIn(path))).toEqual([])
  })

  test('the Dockerfile leaves the sources of the manual out of the image', () => {
    expect(dockerfile).toMatch(/rm -rf .* docs /)
  })

  test.each(targets)('the Dockerfile runs %s as user 10001, with a health check', (target) => {
    const stages = dockerfile.split(/^FROM /m).map((text) => text.trim())
    const chain: string[] = []
    for (let name: string | undefined = target; name; ) {
      const stage = stages.find((text) => text.split('\n')[0]?.endsWith(` AS ${name}`))
      if (stage) chain.unshift(stage)
      name = stage?.split(' ')[0]
    }
    const text = chain.join('\n')
    expect(text.match(/^USER (.*)$/gm)?.at(-1)).toBe('USER 10001:10001')
    expect(text).toMatch(/^HEALTHCHECK /m)
  })
})

describe('compose.yaml', () => {
  test('compose.yaml runs every target', () => {
    expect(
      Object.values(services)
        .map(({ build }) => build.target)
        .toSorted(),
    ).toEqual([...targets].toSorted())
  })

  test.each(Object.entries(services))(
    'compose.yaml gives %s no privilege and a read-only file system',
    (_, service) => {
      expect(service.read_only).toBe(true)
      expect(service.cap_drop).toEqual(['ALL'])
      expect(service.security_opt).toContain('no-new-privileges')
      expect(service.security_opt.join()).not.toContain('unconfined')
    },
  )

  test('compose.yaml publishes the ports of the proxy only', () => {
    const published = Object.entries(services).filter(([, { ports }]) => ports)
    expect(published.map(([name]) => name)).toEqual(['proxy'])
  })

  test('compose.yaml names only settings of the manual for portal and report service', () => {
    const manual = read('docs/manual/configuracao.md')
    for (const service of ['portal', 'reports']) {
      for (const name of Object.keys(services[service]?.environment ?? {})) {
        expect(manual, name).toMatch(new RegExp(`\`${name.replace(/_FILE$/, '')}\``))
      }
    }
  })
})
