import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

const root = join(import.meta.dirname, '../..')
const biome = join(root, 'node_modules/@biomejs/biome/bin/biome')

type Case = [file: string, specifier: string]

const refused: Case[] = [
  ['packages/contract/src/reports/menus.ts', 'zod'],
  ['packages/web/src/main.tsx', 'zod'],
  ['packages/contract/src/reports/menus.ts', 'kysely'],
  ['packages/contract/src/reports/menus.ts', 'node:fs'],
  ['packages/contract/src/reports/menus.ts', '../../../server/src/config.ts'],
  ['packages/contract/src/reports/menus.ts', '@bi-manager/server/config'],
  ['packages/server/src/app.ts', '@bi-manager/reports/main'],
  ['packages/server/src/app.ts', '../../reports/src/main.ts'],
  ['packages/server/src/app.ts', '../../web/src/main.tsx'],
  ['packages/server/src/app.ts', '../../../scripts/machines/find-tools.ts'],
  ['packages/server/test/test-app.ts', '@bi-manager/reports/main'],
  ['packages/server/src/accounts/users/users.routes.ts', '@bi-manager/web'],
  ['packages/reports/src/main.ts', '@bi-manager/contract'],
  ['packages/reports/src/main.ts', '@bi-manager/server/config'],
  ['packages/reports/src/http/tokens.ts', '../../../server/src/config.ts'],
  ['packages/telemetry/src/logging.ts', '@bi-manager/server/config'],
  ['packages/telemetry/src/logging.ts', '@bi-manager/contract'],
  ['packages/web/src/main.tsx', '@bi-manager/telemetry/logging'],
  ['packages/web/src/main.tsx', '@bi-manager/server/config'],
  ['packages/web/src/main.tsx', '@bi-manager/reports/wire/embed-contract'],
  ['packages/web/src/main.tsx', '../../contract/src/index.ts'],
  ['packages/web/src/accounts/users/users-page.tsx', '@bi-manager/server/config'],
]

const allowed: Case[] = [
  ['packages/contract/src/calls/zod.ts', 'zod'],
  ['packages/contract/src/reports/menus.ts', './pages.ts'],
  ['packages/contract/src/reports/menus.ts', '../calls/endpoint.ts'],
  ['packages/contract/src/reports/menus.test.ts', 'vitest'],
  ['packages/server/src/app.ts', './accounts/users/users.routes.ts'],
  ['packages/server/src/accounts/users/users.routes.ts', '@bi-manager/contract'],
  ['packages/server/src/accounts/users/users.routes.ts', '@bi-manager/telemetry/events'],
  ['packages/reports/src/main.ts', '@bi-manager/telemetry/logging'],
  ['packages/reports/src/main.ts', '@bi-manager/contract/filter-expression'],
  ['packages/reports/src/main.ts', '@bi-manager/contract/filter-text'],
  ['packages/server/src/accounts/users/users.routes.ts', '../../platform/db/transactions/in-transaction.ts'],
  ['packages/server/src/accounts/users/users.routes.test.ts', '../../../test/test-app.ts'],
  ['packages/server/src/accounts/users/mail/invite.ts', '../users.repository.ts'],
  ['packages/server/src/reports/menu/menus.routes.ts', './menus.repository.ts'],
  ['packages/reports/src/http/tokens.ts', '../engine/definitions/definition.ts'],
  ['packages/web/src/app/routes.tsx', '../accounts/users/users-page.tsx'],
  ['packages/web/src/accounts/users/users-page.tsx', '@bi-manager/contract'],
  ['packages/web/src/lib/session/session.ts', '@bi-manager/contract/pending-step'],
  ['packages/web/src/accounts/users/users-page.tsx', '../../ui/data-table.tsx'],
  ['packages/web/src/accounts/users/form/field.tsx', '../users-queries.ts'],
  ['packages/web/src/accounts/users/form/field.tsx', '../../../lib/api.ts'],
  ['packages/e2e/src/sign-in.journey.ts', '@bi-manager/server/config'],
  ['bench/src/main.ts', '@bi-manager/server/config'],
]

const forms = [
  "const module = await import('@bi-manager/web/main')",
  "export * from '@bi-manager/web/main'",
  "import type { Rule } from '@bi-manager/web/main'",
]
const webFiles = [
  'app/page.tsx',
  'lib/api/call.ts',
  'accounts/users/page.tsx',
  'accounts/users/form/save.tsx',
  'ui/button.tsx',
]
/** One of the two imports is of a type. */
const cycle = {
  'packages/server/src/cycle/one.ts': "import { two } from './two.ts'\nexport const one = two",
  'packages/server/src/cycle/two.ts':
    "import type { one } from './one.ts'\nexport const two = (given: typeof one) => given",
}
const formsFile = 'packages/server/src/accounts/forms/forms.routes.ts'

describe('import boundaries', () => {
  const folder = mkdtempSync(join(tmpdir(), 'bi-manager-boundaries-'))
  let complaints: string

  beforeAll(() => {
    for (const name of ['biome.json', 'biome.boundaries.json', 'scripts/rules/literal-spreads.grit'])
      cpSync(join(root, name), join(folder, name))
    const cases = [...refused, ...allowed]
    for (const file of new Set(cases.map(([name]) => name))) {
      write(file, cases.map(([name, specifier]) => (name === file ? `import '${specifier}'` : '')).join('\n'))
    }
    write(formsFile, forms.join('\n'))
    for (const file of webFiles)
      write(`packages/web/src/${file}`, "import { useMutation } from '@tanstack/react-query'")
    for (const [file, source] of Object.entries(cycle)) write(file, source)
    complaints = spawnSync(
      process.execPath,
      [
        biome,
        'lint',
        '--vcs-enabled=false',
        '--only=style/noRestrictedImports',
        '--only=suspicious/noImportCycles',
        '--max-diagnostics=none',
        '--reporter=github',
      ],
      { cwd: folder, encoding: 'utf8' },
    ).stdout
  })
  afterAll(() => rmSync(folder, { recursive: true }))

  const write = (file: string, source: string) => {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), source)
  }
  /** Each case has its own line number, the same in every file. */
  const isRefused = (file: string, line: number) =>
    complaints
      .split('\n')
      .some((text) => text.includes('noRestrictedImports') && text.includes(`${file},line=${line},`))

  test.each(refused.map((item, index) => [...item, index + 1] as const))(
    '%s may not import %s',
    (file, _specifier, line) => expect(isRefused(file, line)).toBe(true),
  )

  test.each(allowed.map((item, index) => [...item, refused.length + index + 1] as const))(
    '%s may import %s',
    (file, _specifier, line) => expect(isRefused(file, line)).toBe(false),
  )

  test.each(forms.map((form, index) => [form, index + 1] as const))(
    'import boundaries refuse this form of import: %s',
    (_form, line) => expect(isRefused(formsFile, line)).toBe(true),
  )

  test.each(webFiles)("import boundaries refuse TanStack's useMutation in %s", (file) =>
    expect(isRefused(`packages/web/src/${file}`, 1)).toBe(true),
  )

  test('import boundaries refuse a cycle of files, type imports included', () => {
    for (const file of Object.keys(cycle)) {
      expect(complaints).toMatch(new RegExp(`noImportCycles.*${file}`))
    }
  })
})
