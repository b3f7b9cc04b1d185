import { execFileSync } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { whyUnreadable } from './data-folder.ts'

const NOBODY = 65_534
/** No user of /etc/passwd, such as one that only a container has. */
const NAMELESS = 43_210

const isRoot = process.getuid?.() === 0

/** A folder whose service runs as this user. */
const folderOf = (user: number) => {
  const dataDir = mkdtempSync(join(tmpdir(), 'reports-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  writeFileSync(join(dataDir, 'service.json'), '{}')
  for (const path of [join(dataDir, 'service.json'), dataDir]) chownSync(path, user, user)
  return dataDir
}

/* An empty Debian has runuser and setpriv, but no sudo. */
describe.runIf(isRoot)('whyUnreadable says how to run a command as the user of the service', () => {
  test.each([NOBODY, NAMELESS])('the command runs as user %i', async (user) => {
    const sentence = (await whyUnreadable(folderOf(user), 'service.json')) ?? ''
    const [, command = ''] = /root faz isso com: (.*) -- comando$/.exec(sentence) ?? []
    const [program = '', ...args] = command.split(' ')
    expect(execFileSync(program, [...args, '--', 'id', '-u'], { encoding: 'utf8' })).toBe(`${user}\n`)
  })

  test.each([NOBODY, NAMELESS])('the correction gives a folder to user %i', async (user) => {
    const dataDir = folderOf(user)
    mkdirSync(join(dataDir, 'datasets'))
    const sentence = (await whyUnreadable(dataDir, 'service.json', user)) ?? ''
    const [, command = ''] = /Corrija com: (.*)$/.exec(sentence) ?? []
    const [program = '', ...args] = command.split(' ')
    execFileSync(program, args)
    expect(await whyUnreadable(dataDir, 'service.json', user)).toBeUndefined()
  })
})
