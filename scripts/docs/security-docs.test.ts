import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Field, userEntity } from '@bi-manager/contract'
import { describe, expect, test } from 'vitest'

/* Checks that docs/security.md names existing files and tests, and covers all requirements. */

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/security.md'), 'utf8')

const folders: Record<string, string> = {
  S: 'packages/server/src',
  W: 'packages/web/src',
  C: 'packages/contract/src',
  R: 'packages/reports/src',
  T: 'packages/telemetry/src',
  E: 'packages/e2e/src/journeys',
}
const inFull = (path: string): string => path.replace(/^([SWCRET])\//, (_, letter) => `${folders[letter]}/`)

const rows = [...page.matchAll(/^\| (\d+\.\d+\.\d+)(³?) \| [^|]+ \| (\S*) \| ([^|]+) \| ([^|]+) \|$/gm)].map(
  ([, id = '', chosen, state = '', how = '', tests = '']) => ({
    id,
    isChosen: chosen !== '',
    state,
    how,
    tests,
  }),
)

const paths = [
  ...[...page.matchAll(/`((?:[SWCRET]|packages|scripts|docs)\/[\w./-]+\.\w+)`/g)].map(
    ([, path = '']) => path,
  ),
  ...[...page.matchAll(/\b(docs\/[\w./-]+\.md)\b/g)].map(([, path = '']) => path),
  ...[...page.matchAll(/\]\(((?:\.\.\/|security\/)[\w./-]+)\)/g)].map(([, path = '']) => join('docs', path)),
]

test.each([...new Set(paths.map(inFull))])('%s exists', (path) => {
  expect(existsSync(join(root, path))).toBe(true)
})

describe('tests named in docs/security.md', () => {
  const named = rows.flatMap(({ tests }) =>
    [...tests.matchAll(/`([^`]+)` › ([^;|]*)/g)].map(([, path = '', name = '']) => [
      inFull(path),
      name.trim(),
    ]),
  )
  test.each([...new Map(named.map((pair) => [pair.join(), pair])).values()])(
    '%s has the test %s',
    (path = '', name = '') => {
      expect(name.length).toBeGreaterThan(5)
      const source = readFileSync(join(root, path), 'utf8').replaceAll("\\'", "'")
      expect(source).toContain(name)
    },
  )
})

/** ASVS 5.0.0: number of requirements per section, and which are of level 3 only. */
const sections: Record<string, [count: number, levelThree: number[]]> = {
  '1.1': [2, []],
  '1.2': [10, [10]],
  '1.3': [12, [12]],
  '1.4': [3, []],
  '1.5': [3, [3]],
  '2.1': [3, []],
  '2.2': [3, []],
  '2.3': [5, [5]],
  '2.4': [2, [2]],
  '3.2': [3, [3]],
  '3.3': [5, [5]],
  '3.4': [8, [7, 8]],
  '3.5': [8, [6, 7, 8]],
  '3.7': [5, [3, 4, 5]],
  '4.1': [5, [4, 5]],
  '4.2': [5, [2, 3, 4, 5]],
  '4.3': [2, []],
  '4.4': [4, []],
  '5.1': [1, []],
  '5.2': [6, [4, 5, 6]],
  '5.3': [3, [3]],
  '5.4': [3, []],
  '6.1': [3, []],
  '6.2': [12, []],
  '6.3': [8, [5, 6, 7, 8]],
  '6.4': [6, [5, 6]],
  '6.5': [8, [6, 7, 8]],
  '6.6': [4, [4]],
  '6.8': [4, []],
  '7.1': [3, []],
  '7.2': [4, []],
  '7.3': [2, []],
  '7.4': [5, []],
  '7.5': [3, [3]],
  '7.6': [2, []],
  '8.1': [4, [3, 4]],
  '8.2': [4, [4]],
  '8.3': [3, [2, 3]],
  '8.4': [2, [2]],
  '9.1': [3, []],
  '9.2': [4, []],
  '10.1': [2, []],
  '10.2': [3, [3]],
  '10.3': [5, [5]],
  '10.4': [16, [12, 13, 14, 15, 16]],
  '10.5': [5, []],
  '10.6': [2, []],
  '10.7': [3, []],
  '11.1': [4, [3, 4]],
  '11.2': [5, [4, 5]],
  '11.3': [5, [4, 5]],
  '11.4': [4, []],
  '11.5': [2, [2]],
  '11.6': [2, [2]],
  '12.1': [5, [4, 5]],
  '12.2': [2, []],
  '12.3': [5, [5]],
  '13.1': [4, [2, 3, 4]],
  '13.2': [6, [6]],
  '13.3': [4, [3, 4]],
  '13.4': [7, [6, 7]],
  '14.1': [2, []],
  '14.2': [8, [5, 6, 7, 8]],
  '14.3': [3, []],
  '15.1': [5, [4, 5]],
  '15.2': [5, [4, 5]],
  '15.3': [7, []],
  '16.1': [1, []],
  '16.2': [5, []],
  '16.3': [4, []],
  '16.4': [3, []],
  '16.5': [4, [4]],
}

const idsIn = (text: string): string[] => {
  const ranges = [...text.matchAll(/(\d+\.\d+)\.(\d+) a \1\.(\d+)/g)].flatMap(([, section, from, to]) =>
    Array.from({ length: Number(to) - Number(from) + 1 }, (_, i) => `${section}.${Number(from) + i}`),
  )
  return [...ranges, ...[...text.matchAll(/\b\d+\.\d+\.\d+\b/g)].map(([id]) => id)]
}

test('docs/security.md lists every requirement of levels 1 and 2 once, or says that it does not apply', () => {
  const levelTwo = Object.entries(sections).flatMap(([section, [count, levelThree]]) =>
    Array.from({ length: count }, (_, i) => i + 1)
      .filter((n) => !levelThree.includes(n))
      .map((n) => `${section}.${n}`),
  )
  const notApplying = [...page.matchAll(/^Não se aplicam?: .+(?:\n.+)*/gm)].flatMap(([text]) => idsIn(text))
  const required = rows.filter(({ isChosen }) => !isChosen).map(({ id }) => id)
  const said = [...required, ...new Set(notApplying)]
  expect(said.toSorted()).toEqual(levelTwo.toSorted())
  expect(required.length).toBeGreaterThan(150)
})

test('docs/security.md lists unmet and partly met requirements in its summary too', () => {
  const [, summary = ''] = page.split('## O que não é atendido')
  const told = new Set(idsIn(summary.split('# Decisões documentadas')[0] ?? ''))
  expect([...told].toSorted()).toEqual(
    rows
      .filter(({ state }) => state !== 'sim')
      .map(({ id }) => id)
      .toSorted(),
  )
  for (const { state } of rows) expect(state).toMatch(/^(sim|parte|não)$/)
})

test.each(rows.filter(({ state }) => state === 'parte'))(
  'docs/security.md says what is missing for $id, which is partly met',
  ({ how }) => {
    expect(how).toMatch(/[Ff]alta|[Ss]eria preciso/)
  },
)

test.each(Object.entries<Field>(userEntity.fields).filter(([, { control }]) => control))(
  'the table "Campos" says who reads and writes a user’s %s',
  (name, { label }) => {
    const [, table = ''] = page.split('\n## Campos\n')
    const inWords = ['nomeUsuario', 'senhaUsuario', 'emailUsuario'].includes(name)
    const text = inWords ? (label.split(' ')[0] ?? '').toLowerCase() : `\`${name}\``
    expect(table.split('\n## ')[0], `add a row for ${text} to docs/security.md`).toContain(text)
  },
)
