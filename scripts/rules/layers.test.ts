import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { type Layers, layerFaults, withLayers } from './layers.ts'

const root = join(import.meta.dirname, '../..')
const order: Record<string, Layers> = {
  'p/src': {
    below: ['platform/lib', 'platform/http'],
    areas: ['accounts', 'reports'],
    above: ['routes.ts', 'main.ts'],
    hasDoors: true,
  },
}
const faultsOf = (files: Record<string, string[]>, layers = order) =>
  layerFaults(new Map(Object.entries(files).map(([file, imported]) => [file, new Set(imported)])), layers)

describe('layerFaults', () => {
  test.each([
    ['its own layer', 'p/src/reports/a/one.ts', 'p/src/reports/b/two.ts'],
    ['a lower part of the platform', 'p/src/platform/http/one.ts', 'p/src/platform/lib/two.ts'],
    ['the platform', 'p/src/accounts/one.ts', 'p/src/platform/http/two.ts'],
    ['an earlier area through its door', 'p/src/reports/one.ts', 'p/src/accounts/index.ts'],
    ['an area through its door, in the composition', 'p/src/main.ts', 'p/src/reports/index.ts'],
    ['routes, in the composition', 'p/src/routes.ts', 'p/src/reports/a/a.routes.ts'],
    ['a job, in the composition', 'p/src/main.ts', 'p/src/reports/a/a.job.ts'],
    ['a page, in the composition', 'p/src/main.ts', 'p/src/reports/a/a-page.tsx'],
    ['another package', 'p/src/accounts/one.ts', 'q/src/anything.ts'],
    ['anything, in a test', 'p/src/accounts/one.test.ts', 'p/src/reports/a/two.ts'],
    ['anything, beside the sources', 'p/test/one.ts', 'p/src/reports/a/two.ts'],
  ])('layerFaults lets a file import %s', (_, file, imported) => {
    expect(faultsOf({ [file]: [imported] })).toEqual([])
  })

  test.each([
    ['a later area', 'p/src/accounts/one.ts', 'p/src/reports/index.ts', 'reports stands after accounts.'],
    [
      'a higher part of the platform',
      'p/src/platform/lib/one.ts',
      'p/src/platform/http/two.ts',
      'platform/http stands after platform/lib.',
    ],
    [
      'an area, from the platform',
      'p/src/platform/http/one.ts',
      'p/src/accounts/index.ts',
      'accounts stands after platform/http.',
    ],
    ['the composition', 'p/src/reports/one.ts', 'p/src/routes.ts', 'routes.ts stands after reports.'],
    [
      'an area past its door',
      'p/src/reports/one.ts',
      'p/src/accounts/two.ts',
      'import it from accounts/index.ts.',
    ],
    [
      'routes past the door of their area',
      'p/src/reports/one.ts',
      'p/src/accounts/a.routes.ts',
      'import it from accounts/index.ts.',
    ],
    [
      'what is not listed, in the composition',
      'p/src/main.ts',
      'p/src/reports/a/two.ts',
      'import it from reports/index.ts.',
    ],
  ])('layerFaults refuses that a file imports %s', (_, file, imported, reason) => {
    expect(faultsOf({ [file]: [imported] })).toEqual([`${file} imports ${imported}: ${reason}`])
  })

  test('layerFaults refuses a file that has no layer', () => {
    expect(faultsOf({ 'p/src/new/one.ts': [], 'p/src/accounts-of-old/two.ts': [] })).toEqual([
      'p/src/new/one.ts has no layer: name its folder in scripts/rules/layers.ts.',
      'p/src/accounts-of-old/two.ts has no layer: name its folder in scripts/rules/layers.ts.',
    ])
  })

  test('layerFaults asks only for the order where areas have no doors', () => {
    const open = { 'p/src': { ...order['p/src'], hasDoors: false } as Layers }
    expect(faultsOf({ 'p/src/reports/one.ts': ['p/src/accounts/a/two.ts'] }, open)).toEqual([])
    expect(faultsOf({ 'p/src/accounts/one.ts': ['p/src/reports/a/two.ts'] }, open)).toHaveLength(1)
  })
})

test('ARCHITECTURE.md shows the layers as they are', () => {
  const document = readFileSync(join(root, 'ARCHITECTURE.md'), 'utf8')
  expect(document, 'run node scripts/rules/layers.ts --write').toBe(withLayers(document))
})
