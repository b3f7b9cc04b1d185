import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Settings } from '@bi-manager/reports/config'
import { Environment } from '@bi-manager/server/platform/config/config'
import { secretSettings } from '@bi-manager/server/platform/config/secret-files'
import { describe, expect, test } from 'vitest'

const page = readFileSync(join(import.meta.dirname, '../../docs/manual/configuracao.md'), 'utf8')
const rows = [...page.matchAll(/^\| `([A-Z\d_]+)` \| ([^|]+) \| [^|]+ \|$/gm)].map(
  ([, name = '', defaultText = '']) => ({ name, defaultText }),
)
const defaultTexts = new Map(rows.map(({ name, defaultText }) => [name, defaultText]))

/** Read by the services, but not meant for people who install them. */
const internal = ['DEMO_SEED', 'PATH']
/** Their default is derived from another setting, in the launcher or in the service. */
const derived = [
  'PUBLIC_URL',
  'RATE_LIMIT_PER_PERSON',
  'MAIL_FROM',
  'REPORTS_URL',
  'REPORTS_INTERNAL_URL',
  'REPORTS_DATA_DIR',
]

const settings = new Map(
  Object.entries({ ...Settings.shape, ...Environment.shape }).filter(([name]) => !internal.includes(name)),
)

describe('docs/manual/configuracao.md', () => {
  test('docs/manual/configuracao.md lists every setting of both services once, and no other', () => {
    expect(rows.map(({ name }) => name).sort()).toEqual([...settings.keys()].sort())
  })

  test('docs/manual/configuracao.md names every secret that may come from a file', () => {
    const [, sentence = ''] = /Vale\s+para ([^.]+)\./.exec(page) ?? []
    const named = [...sentence.matchAll(/`([A-Z\d_]+)`/g)].map(([, name]) => name)
    expect(named).toEqual([...secretSettings])
  })

  const withOwnDefault = [...settings].filter(([name]) => !derived.includes(name))
  test.each(withOwnDefault)('docs/manual/configuracao.md states the default of %s', (name, schema) => {
    const value = schema.parse(undefined)
    expect(defaultTexts.get(name)).toBe(value === undefined ? '–' : `\`${value}\``)
  })
})
