import { execFileSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { version } from '../../../../package.json' with { type: 'json' }
import { sectionsOfChapter } from '../../../../scripts/docs/manual-commands.ts'
import { type DebianMachine, startDebian } from '../../../../scripts/machines/debian-machine.ts'
import { findChromium } from '../../../../scripts/machines/find-tools.ts'
import { recipe } from '../../../../scripts/nodes/manual-recipe.ts'
import { launchBrowser } from '../browser/browser.ts'
import { expectDrawn } from '../browser/report-frame.ts'
import { openBrowserProfile, type Visitor } from '../browser/visitor.ts'
import {
  importReports,
  openFirstReport,
  registerConnection,
  registerWorkspace,
  replaceFirstPassword,
} from '../pages/first-report.ts'

/*
 * Debian machines on which tests run the commands of the manual. The file of the version is made from
 * the commit.
 */

const repository = join(import.meta.dirname, '../../../..')

export const machineFolder = join(tmpdir(), 'bi-manager-installation')
export const sections = sectionsOfChapter('instalacao.md', 'Sem contêineres')
export const minutes = 60_000
export const administrator = {
  email: 'voce@empresa.com.br',
  password: 'Primeira senha 1',
  name: 'Administrador',
}

/** The commands of these sections as one script, with a line of its own before each section. */
export const scriptOf = (titles: string[], before: Record<string, string> = {}): string =>
  titles
    .map((title) => {
      const commands = sections.find((section) => section.title === title)?.commands
      if (!commands) throw new Error(`the manual has no commands for ${title}`)
      return `printf "\\n== \${SECONDS} s: ${title}\\n"\n${before[title] ?? ''}\n${commands}`
    })
    .join('\n')

/** An empty Debian to which the operator has copied the file of the version. */
export const startWithVersion = async (
  options?: Parameters<typeof startDebian>[1],
): Promise<DebianMachine> => {
  const machine = await startDebian(machineFolder, options)
  const name = `bi-manager-${version}`
  const file = join(machine.root, `root/${name}.tar.gz`)
  execFileSync('git', ['archive', `--prefix=${name}/`, '-o', file, 'HEAD'], { cwd: repository })
  return machine
}

/**
 * Enters for the first time, and registers and opens the published report, as 'Primeira entrada'
 * says.
 * @param output what its commands printed: the generated password and the credentials
 */
export const openReportOfFirstEntry = async (visitor: Visitor, output: string) => {
  const [, generated = ''] = /^Senha: (.+)$/m.exec(output) ?? []
  const [, username = ''] = /"clientId": "(.+?)"/.exec(output) ?? []
  const [, secret = ''] = /"clientSecret": "(.+?)"/.exec(output) ?? []
  const { email, password } = administrator
  await replaceFirstPassword(visitor, { email, generated, password })
  const connected = await registerConnection(visitor, { name: 'Relatórios da casa', username, secret })
  await connected.getByRole('button', { name: 'Fechar' }).click()
  const registered = await registerWorkspace(visitor, {
    connection: ['casa', 'Relatórios da casa'],
    group: ['Minha', 'Minha área'],
    name: 'Diretoria',
  })
  await importReports(visitor, registered, 'Diretoria')
  return openFirstReport(visitor)
}

/** Starts the restored rehearsal of that machine and opens its report. */
export const expectRehearsal = async (machine: DebianMachine, settings = ''): Promise<void> => {
  const start = recipe('systemd: iniciar o ensaio', {}, 'backup')
  const rehearsal = machine.start(`cd /opt/bi-manager\n${settings}\n${start}`)
  const until = () =>
    rehearsal.exitCode() === null ? rehearsal.output() : `ended: ${rehearsal.output().slice(-3000)}`
  await expect.poll(until, { timeout: 5 * minutes, interval: 200 }).toMatch(/Pronto:|^ended/)
  expect(until()).not.toMatch(/^ended/)
  const inside = await launchBrowser([], machine.inItsNetwork(findChromium() ?? ''))
  try {
    const visitor = await openBrowserProfile(inside, { portal: 'http://localhost:3999' })
    await visitor.goto('/')
    await visitor.signIn(administrator)
    await visitor.page
      .getByText(/ambiente de teste|ensaio/i)
      .first()
      .waitFor()
    const frame = await openFirstReport(visitor)
    expect(new URL(frame.url()).origin).toBe('http://localhost:3998')
    await expectDrawn(frame, 'the report of the backup')
    await visitor.close()
  } finally {
    await inside.close()
  }
}
