import { spawnSync } from 'node:child_process'
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

const refused = [
  'export const x = { a, ...{ b, c } }',
  'export const x = [a, ...[b, c]]',
  'export const x = { ...{ ...given, a }, b }',
  'export const x = [a, ...(["b"] as const)]',
  'export const x = { a, ...({ b } satisfies Y) }',
  'export const x = { a, ...({ b } as const satisfies Y) }',
  'export const x = { a, ...((({ b }))) }',
  'export const x = { ...{} }',
  'call(...[a, b])',
  'new Call(...[a, b])',
  'export const x = <Y {...{ a, b }} />',
]

const accepted = [
  'export const x = { ...given, a }',
  'export const x = { a, ...(given ? { b } : {}) }',
  'export const x = { a, ...(given && { b }) }',
  'export const x = { a, ...(given ?? { b }) }',
  'export const x = { a, ...call({ b }) }',
  'export const x = [a, ...[b, c].map(call)]',
  'export const x = [a, ...(given ? [b] : [])]',
  'export const x = { a: { ...given }, b: [...given] }',
  'export const x = ({ a, ...rest }: Y) => rest',
  'export const x = <Y {...given} />',
  'export const x = <Y {...call({ a })} />',
]

describe('a literal that is spread into a literal', () => {
  const folder = mkdtempSync(join(tmpdir(), 'literal-spreads-'))
  let complaints: string

  beforeAll(() => {
    cpSync(join(root, 'scripts/rules/literal-spreads.grit'), join(folder, 'literal-spreads.grit'))
    writeFileSync(
      join(folder, 'biome.json'),
      JSON.stringify({ plugins: ['./literal-spreads.grit'], linter: { rules: { preset: 'none' } } }),
    )
    writeFileSync(join(folder, 'cases.tsx'), [...refused, ...accepted].join('\n'))
    complaints = spawnSync(
      process.execPath,
      [biome, 'lint', '--max-diagnostics=none', '--error-on-warnings', '--reporter=github'],
      { cwd: folder, encoding: 'utf8' },
    ).stdout
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const isRefused = (line: number) =>
    complaints
      .split('\n')
      .some((text) => text.startsWith('::error title=plugin') && text.includes(`cases.tsx,line=${line},`))

  test.each(refused.map((source, index) => [source, index + 1] as const))(
    'a literal that is spread into a literal is refused in %s',
    (_source, line) => expect(isRefused(line)).toBe(true),
  )

  test.each(accepted.map((source, index) => [source, refused.length + index + 1] as const))(
    'a literal that is spread into a literal is not found in %s',
    (_source, line) => expect(isRefused(line)).toBe(false),
  )

  test('a literal that is spread into a literal is refused in the whole repository', () => {
    const { plugins } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8'))
    expect(plugins).toContain('./scripts/rules/literal-spreads.grit')
  })
})
