import { spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { isAtLeast, programVersion } from '../../packages/server/src/platform/config/version.ts'
import {
  isAdditive,
  oldestVersionOf,
} from '../../packages/server/src/platform/db/migrations/migration-kind.ts'
import { breakingStatements } from './breaking-statements.ts'

/* Old and new portals share one database during an upgrade: see CONTRIBUTING.md, 'Migrations'. */

const folder = join(import.meta.dirname, '../../packages/server/migrations')
const files = readdirSync(folder)
  .filter((name) => name.endsWith('.sql'))
  .sort()
const textOf = (name: string) => readFileSync(join(folder, name), 'utf8')

describe('migrations', () => {
  test.each(files.filter((name) => name >= '0021'))(
    'migrations keep the previous version working: %s',
    async (name) => {
      const text = textOf(name)
      const oldest = oldestVersionOf(text)
      const broken = await breakingStatements(text)
      if (oldest === null) {
        expect(broken, 'an expand step must not; mark a contract step on the first line').toEqual([])
      } else {
        expect(isAtLeast(programVersion, oldest), `${oldest} is not a version yet`).toBe(true)
        expect(broken, 'a step that breaks nothing needs no mark').not.toEqual([])
      }
    },
  )

  test('migrations have unique numbers', () => {
    const numbers = files.map((name) => name.slice(0, 4))
    expect(numbers).toEqual([...new Set(numbers)])
  })
})

/** They entered the history before the rule. `migrate` completes a database that lacks one. */
const enteredLate = [
  '0038_data_schedules.sql',
  '0042_appearance.sql',
  '0045_leases_and_waits.sql',
  '0048_access_requests.sql',
  '0050_networks.sql',
  '0052_comments.sql',
  '0054_guests.sql',
  '0056_subscribed_visuals.sql',
]

/**
 * Returns the migrations that entered after one with a higher number: a database of a commit in
 * between lacks them.
 * @param added file names in the order in which they entered main
 */
const lateMigrations = (added: string[]): string[] => {
  const isLate = (name: string, n: number) => added.slice(0, n).some((earlier) => earlier > name)
  return added.filter((name, n) => isLate(name, n) && files.includes(name) && !enteredLate.includes(name))
}

describe('the history of migrations', () => {
  // Against the first parent: a branch enters main when it is merged.
  const { stdout } = spawnSync(
    'git',
    `log --first-parent -m --no-renames --reverse --diff-filter=A --format= --name-only -- ${folder}`.split(
      ' ',
    ),
    { cwd: folder, encoding: 'utf8' },
  )
  const committed = (stdout ?? '')
    .split('\n')
    .filter(Boolean)
    .map((path) => basename(path))

  test.skipIf(committed.length < 2)(
    `the history of migrations only adds numbers above all earlier ones${committed.length < 2 ? ', not checked without git history' : ''}`,
    () => {
      const uncommitted = files.filter((name) => !committed.includes(name))
      expect(lateMigrations([...committed, ...uncommitted])).toEqual([])
    },
  )

  test('the history of migrations completes a database of a commit before a late migration', () => {
    expect(enteredLate.filter((name) => !isAdditive(textOf(name)))).toEqual([])
  })

  test('the history of migrations reports a number below one that entered earlier', () => {
    expect(lateMigrations(['0002_back_office.sql', '0003_accounts.sql', '0001_foundation.sql'])).toEqual([
      '0001_foundation.sql',
    ])
  })
})

describe('breakingStatements', () => {
  test.each([
    ['alter table usuario drop column ativo', 'drops the column usuario.ativo'],
    ['drop table token_emitido', 'drops a table: token_emitido'],
    ['drop function sem_acento(text)', 'drops a function: sem_acento'],
    ['alter table usuario rename column nome to nome_usuario', 'renames usuario.nome to nome_usuario'],
    ['alter table usuario rename to pessoa', 'renames usuario to pessoa'],
    ['alter table usuario alter column id type text', 'changes the type of usuario.id'],
    ['alter table usuario alter nome set not null', 'makes usuario.nome not null: old code may write null'],
    ['alter table usuario alter nome drop default', 'takes the default from usuario.nome'],
    ['alter table usuario add column x int not null', 'adds usuario.x as not null without a default'],
  ])('breakingStatements reports %s', async (statement, sentence) => {
    expect(await breakingStatements(`-- A comment.\n${statement};`)).toEqual([sentence])
  })

  test.each([
    'create table x (id int primary key, nome text not null); alter table x alter nome set not null',
    'alter table usuario add column x int',
    'alter table usuario add column x int not null default 0',
    'alter table usuario add column x int generated always as (id + 1) stored not null',
    'alter table usuario alter nome drop not null',
    'create index usuario_x on usuario (x); drop index usuario_y',
    "alter table a drop constraint a_check; alter table a add constraint a_check check (tipo in ('x', 'y'))",
    "insert into configuracao values ('drop table usuario')",
    "create function f() returns void language sql as 'drop table usuario'",
  ])('breakingStatements accepts %s', async (statement) => {
    expect(await breakingStatements(statement)).toEqual([])
  })

  test('breakingStatements finds what earlier migrations broke', async () => {
    expect(await breakingStatements(textOf('0010_tokens_in_the_trail.sql'))).toContain(
      'drops a table: token_emitido',
    )
    expect(await breakingStatements(textOf('0019_demanded_passwords.sql'))).toEqual([
      'takes the default from usuario.trocar_senha',
      'changes the type of usuario.trocar_senha',
    ])
  })
})
