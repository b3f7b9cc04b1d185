import { randomBytes } from 'node:crypto'
import { appendFileSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  type DebianMachine,
  machineNetwork,
  startDebian,
  whyNoMachine,
} from '../../../scripts/machines/debian-machine.ts'
import { findChromium } from '../../../scripts/machines/find-tools.ts'
import { recipe } from '../../../scripts/nodes/manual-recipe.ts'
import { launchBrowser } from './browser/browser.ts'
import { expectDrawn } from './browser/report-frame.ts'
import { openBrowserProfile } from './browser/visitor.ts'
import {
  administrator,
  expectRehearsal,
  machineFolder,
  minutes,
  openReportOfFirstEntry,
  scriptOf,
  startWithVersion,
} from './installation/manual-machine.ts'
import { openFirstReport } from './pages/first-report.ts'
import { callThrough, hosts } from './services/proxied.ts'

/*
 * Installs several nodes on six empty Debian machines by the commands and files of
 * docs/manual/varios-nos.md, in its order, then loses the primary, backs up, and restores on a
 * seventh machine. Instead of a network folder and DNS, the nodes share a folder of this machine,
 * and every machine has the names in /etc/hosts. no2 and no3 are copies of no1 after 'Código'.
 */

const names = ['db1', 'db2', 'proxy', 'no1', 'no2', 'no3'] as const
type Name = (typeof names)[number]

const why = whyNoMachine() ?? (findChromium() ? undefined : 'needs Chromium')
const secret = () => randomBytes(24).toString('hex')
const appSecret = secret()
/** What the manual tells the operator to replace. */
const replaced = {
  '10.0.0.0/24': machineNetwork,
  '<senha-replicador>': secret(),
  '<senha>': secret(),
  '<ao menos 32 letras, as mesmas em todos>': appSecret,
  '<a dos nós>': appSecret,
  '<senha do e-mail>': secret(),
}

describe.skipIf(why)(`several nodes${why ? ` (${why})` : ''}`, () => {
  const executed = new Set<string>()
  const machines = new Map<Name | 'rehearsal', DebianMachine>()
  const at = (name: Name) => {
    const machine = machines.get(name)
    if (!machine) throw new Error(`${name} is not running`)
    return machine
  }
  let folder: string
  let browser: Browser
  let firstEntry: string
  let call: ReturnType<typeof callThrough>
  let callReports: ReturnType<typeof callThrough>

  /** A block of the manual with the values of this installation. */
  const block = (title: string, chapter?: string): string => {
    if (!chapter) executed.add(title)
    return Object.entries(replaced).reduce(
      (text, [from, to]) => text.replaceAll(from, to),
      recipe(title, {}, chapter),
    )
  }
  const run = (name: Name, titles: string[], before = '') =>
    at(name).run([before, ...titles.map((title) => block(title))].join('\n'))
  const write = (name: Name, path: string) => writeFileSync(join(at(name).root, path), block(path))
  const onNodes = <T>(work: (name: Name) => T | Promise<T>) =>
    Promise.all((['no1', 'no2', 'no3'] as const).map(work))

  /** Asks PostgreSQL there, from a folder that its account may enter. */
  const query = async (name: Name, statement: string) =>
    (await at(name).run(`cd / && runuser -u postgres -- psql -Atc "${statement}"`)).trim()

  /** What the DNS of a company knows. */
  const writeNames = () => {
    const lines = names.map((name) => `${at(name).address} ${name}.interno\n`)
    lines.push(`${at('proxy').address} ${hosts.portal} ${hosts.reports}\n`)
    for (const machine of machines.values()) appendFileSync(join(machine.root, 'etc/hosts'), lines.join(''))
  }

  const startMachines = async () => {
    folder = mkdtempSync(join(machineFolder, 'nodes-'))
    const shared = { '/srv/bi-manager': join(folder, 'shared') }
    mkdirSync(shared['/srv/bi-manager'])
    machines.set('no1', await startWithVersion({ shared }))
    await at('no1').run(scriptOf(['Código']))
    const copy = join(folder, 'with-code')
    at('no1').copyTo(copy)
    for (const name of ['no2', 'no3'] as const)
      machines.set(name, await startDebian(machineFolder, { from: copy, shared }))
    machines.set('rehearsal', await startDebian(machineFolder, { from: copy }))
    rmSync(copy, { recursive: true })
    for (const name of ['db1', 'db2', 'proxy'] as const) machines.set(name, await startDebian(machineFolder))
  }

  const installDatabases = async () => {
    await Promise.all((['db1', 'db2'] as const).map((name) => run(name, ['db1 e db2: programas'])))
    await run('db1', ['db1: papéis e banco'])
    const access = '/etc/postgresql/15/main/pg_hba.conf'
    for (const name of ['db1', 'db2'] as const) appendFileSync(join(at(name).root, access), block(access))
    await run('db1', ['db1: reiniciar'])
    await run('db2', ['db2: esvaziar', 'db2: cópia do primário', 'db2: iniciar'])
    await run('db1', ['db1: réplica síncrona'])
  }

  const installProxies = async () => {
    await at('proxy').run(`${block('proxy: programas')}\n${scriptOf(['Certificado'])}`)
    for (const path of ['/etc/pgbouncer/pgbouncer.ini', '/etc/pgbouncer/userlist.txt']) write('proxy', path)
    await run('proxy', ['proxy: PgBouncer', 'proxy: certificado'])
    write('proxy', '/etc/haproxy/haproxy.cfg')
    await run('proxy', ['proxy: HAProxy'])
  }

  const installNodes = async () => {
    await onNodes((name) =>
      run(name, ['no1, no2 e no3: usuários e serviços', 'no1, no2 e no3: endereço do banco']),
    )
    const authority = readFileSync(join(at('proxy').root, 'etc/ssl/bi-manager/autoridade.pem'))
    await onNodes((name) => {
      for (const path of ['/etc/bi-manager/portal.env', '/etc/bi-manager/reports.env']) write(name, path)
      writeFileSync(join(at(name).root, 'etc/ssl/bi-manager/autoridades.pem'), authority)
    })
    await onNodes((name) => run(name, [name === 'no3' ? 'no3: iniciar' : 'no1 e no2: iniciar']))
    firstEntry = await run('no1', ['no1: primeira entrada'], 'cd /opt/bi-manager')
  }

  beforeAll(async () => {
    await startMachines()
    writeNames()
    await installDatabases()
    await installProxies()
    await installNodes()
    const { address, root } = at('proxy')
    const authority = join(root, 'etc/ssl/bi-manager/autoridade.pem')
    browser = await launchBrowser([`--host-resolver-rules=MAP *.empresa.com.br:443 ${address}:443`])
    call = callThrough(443, hosts.portal, authority, address)
    callReports = callThrough(443, hosts.reports, authority, address)
  }, 90 * minutes)
  afterAll(async () => {
    await browser?.close()
    for (const machine of machines.values()) await machine.stop()
    if (folder) rmSync(folder, { recursive: true, force: true })
  }, 15 * minutes)

  const visit = () =>
    openBrowserProfile(browser, { portal: `https://${hosts.portal}`, ignoreHTTPSErrors: true })
  const expectReport = async (what: string) => {
    const visitor = await visit()
    await visitor.goto('/')
    await visitor.signIn(administrator)
    await expectDrawn(await openFirstReport(visitor), what)
    await visitor.close()
  }
  const statuses = async (path: string) => [(await call(path)).status, (await callReports(path)).status]

  test('the first administrator opens a report through the proxy', { timeout: 10 * minutes }, async () => {
    const visitor = await visit()
    const frame = await openReportOfFirstEntry(visitor, firstEntry)
    expect(new URL(frame.url()).origin).toBe(`https://${hosts.reports}`)
    await expectDrawn(frame, 'the first report')
    await visitor.close()
  })

  test('passwords are in files that only root and the proxy read', async () => {
    expect(await at('no1').run('stat -c "%a %U %n" /etc/bi-manager/*')).toBe(
      '600 root /etc/bi-manager/database-url\n600 root /etc/bi-manager/portal.env\n' +
        '600 root /etc/bi-manager/reports.env\n',
    )
    expect(
      await at('proxy').run(
        'stat -c "%a %U %n" /etc/pgbouncer/userlist.txt /etc/haproxy/certs /etc/haproxy/certs/*',
      ),
    ).toBe(
      '600 postgres /etc/pgbouncer/userlist.txt\n700 root /etc/haproxy/certs\n' +
        '600 root /etc/haproxy/certs/bi-manager.pem\n',
    )
    const owners = 'for id in $(pidof haproxy pgbouncer); do stat -c %U /proc/$id; done'
    const workers = await at('proxy').run(owners)
    expect(workers.trim().split('\n').sort()).toEqual(['haproxy', 'postgres', 'root'])
  })

  test('the standby confirms each write', async () => {
    const state = 'select application_name, sync_state from pg_stat_replication'
    expect(await query('db1', state)).toBe('db2|sync')
  })

  test('a report opens while the services of one node are stopped', { timeout: 10 * minutes }, async () => {
    await at('no1').run('systemctl stop bi-manager-portal bi-manager-reports')
    expect(await statuses('/readyz')).toEqual([200, 200])
    await expectReport('the report without no1')
    await run('no1', ['no1 e no2: iniciar'])
  })

  test('a backup of one node is restored on another machine', { timeout: 20 * minutes }, async () => {
    const made = ['pasta e chaves', 'copiar'].map((title) => block(`vários nós: ${title}`, 'backup'))
    expect(await at('no1').run(made.join('\n'))).not.toContain('INCOMPLETA')
    const rehearsal = machines.get('rehearsal')
    if (!rehearsal) throw new Error('the machine of the rehearsal is not running')
    cpSync(join(at('no1').root, 'cofre'), join(rehearsal.root, 'cofre'), { recursive: true })
    await rehearsal.run(block('vários nós: ensaiar', 'backup'))
    await expectRehearsal(rehearsal, `export APP_SECRET=${appSecret}`)
  })

  test('the standby takes the place of the primary', { timeout: 10 * minutes }, async () => {
    await at('db1').run('systemctl disable --now postgresql')
    await run('db2', ['db2: promoção'])
    await run('proxy', ['proxy: outro primário'])
    await expect
      .poll(async () => (await call('/readyz')).status, { timeout: minutes, interval: 500 })
      .toBe(200)
    await expectReport('the report from the standby')
    await run('db1', ['db1: cópia do novo primário'])
    await at('db1').run('systemctl enable postgresql; systemctl start postgresql@15-main')
    const count = 'select count(*) from pg_stat_replication'
    await expect.poll(() => query('db2', count), { timeout: minutes }).toBe('1')
  })

  test('every block of the chapter was used', () => {
    const text = readFileSync(join(import.meta.dirname, '../../../docs/manual/varios-nos.md'), 'utf8')
    const blocks = [...text.matchAll(/^```[a-z]*\n(?:[#;] (.*)\n)?[\s\S]*?^```$/gm)].map(([, title]) => title)
    expect(blocks.length).toBeGreaterThan(20)
    expect(blocks.filter((title) => !title || !executed.has(title))).toEqual([])
  })
})
