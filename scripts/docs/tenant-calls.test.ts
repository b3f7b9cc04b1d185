import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const repository = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(repository, path), 'utf8')

test('the manual lists each call to Microsoft that was never made to a real tenant', () => {
  const [, section = ''] = read('docs/manual/implantacao.md').split(
    '### Chamadas nunca feitas a um locatário real\n',
  )
  const listed = [...(section.split('\n## ')[0] ?? '').matchAll(/^\| `(\w+)`: /gm)].map(([, name]) => name)
  const called = globSync('packages/server/src/**/*.ts', { cwd: repository })
    // Only the local report service has the calls of drafts, published reports, its archive and its formats.
    .filter(
      (path) =>
        !/\.test\.ts$|\/(draft|published|point|report-data|archive|export-formats)-api\.ts$/.test(path),
    )
    .flatMap((path) => [...read(path).matchAll(/\boperation: '(\w+)'/g)].map(([, name]) => name))
  expect(called.length).toBeGreaterThan(10)
  expect(listed.toSorted()).toEqual([...new Set(called)].toSorted())
})
