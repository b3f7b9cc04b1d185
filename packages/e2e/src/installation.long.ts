import { copyFileSync, mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { dependencies } from '../../../package.json' with { type: 'json' }
import { type DebianMachine, whyNoMachine } from '../../../scripts/machines/debian-machine.ts'
import { findChromium } from '../../../scripts/machines/find-tools.ts'
import { recipe } from '../../../scripts/nodes/manual-recipe.ts'
import { launchBrowser } from './browser/browser.ts'
import { exportAsPdf } from './browser/export-in-page.ts'
import { expectDrawn, waitForRendered } from './browser/report-frame.ts'
import { openBrowserProfile } from './browser/visitor.ts'
import {
  administrator,
  expectRehearsal,
  minutes,
  openReportOfFirstEntry,
  scriptOf,
  sections,
  startWithVersion,
} from './installation/manual-machine.ts'
import { openFirstReport } from './pages/first-report.ts'
import { people } from './people/people.ts'
import { callThrough, hosts } from './services/proxied.ts'

/*
 * Installs on an empty Debian by the commands of docs/manual/instalacao.md, unchanged, and opens a
 * report. Then it backs up and restores by those of backup.md, on the same machine and on another
 * one. The browser resolves the manual's host names. installation-nodes.long.ts installs several
 * nodes.
 */

const why = whyNoMachine() ?? (findChromium() ? undefined : 'needs Chromium')
const empty = ['Código', 'Banco de dados', 'Serviços']
const server = [...empty, 'Início', 'Certificado']
const methods = {
  demo: ['Experimentar'],
  nginx: [...server, 'nginx', 'Primeira entrada', 'Exportar em PDF e PNG', 'Conferir e cuidar'],
  caddy: [...server, 'Caddy', 'Primeira entrada', 'Conferir e cuidar'],
}
const tell = (method: string, started: number, output: string) => {
  const laps = output.match(/^== .*$/gm) ?? []
  const taken = ((performance.now() - started) / minutes).toFixed(1)
  console.log(`from an empty Debian to a report by ${method}: ${taken} minutes\n${laps.join('\n')}`)
}

test('the manual installs the Node that the lock file has', () => {
  const { commands } = sections.find(({ title }) => title === 'Código') ?? { commands: '' }
  expect(commands).toMatch(new RegExp(` node@${dependencies.node}$`, 'm'))
})

test('every command of the chapter belongs to a method', () => {
  const used = new Set(Object.values(methods).flat())
  expect([...used].sort()).toEqual(sections.map(({ title }) => title).sort())
})

describe.skipIf(why)(`an empty Debian${why ? ` (${why})` : ''}`, () => {
  test('an empty Debian shows a report of the demo', { timeout: 30 * minutes }, async () => {
    const machine = await startWithVersion()
    let browser: Browser | undefined
    try {
      const started = performance.now()
      const demo = machine.start(scriptOf(methods.demo))
      const said = () => (demo.exitCode() === null ? demo.output() : `ended: ${demo.output().slice(-3000)}`)
      await expect.poll(said, { timeout: 25 * minutes, interval: 200 }).toMatch(/Pronto:|^ended/)
      expect(said()).not.toMatch(/^ended/)
      // The demo listens to its own machine alone.
      browser = await launchBrowser([], machine.inItsNetwork(findChromium() ?? ''))
      const visitor = await openBrowserProfile(browser, { portal: 'http://localhost:3000' })
      await visitor.goto('/')
      await visitor.signIn(people.ana)
      await visitor.page.getByRole('main').locator('a[href^="/relatorio-embed/"]').first().click()
      await expectDrawn(await waitForRendered(visitor.page), 'a report of the demo')
      tell('npm run demo', started, demo.output())
      await visitor.close()
    } finally {
      await browser?.close()
      await machine.stop()
    }
  })

  test("an empty Debian says what to install where npm runs with Debian's own Node", {
    timeout: 20 * minutes,
  }, async () => {
    const machine = await startWithVersion()
    try {
      const commands = scriptOf(methods.demo).replace(/^npm install --global .*$/gm, '')
      const output = await machine.run(`(${commands}) 2>&1 || true`)
      expect(output).toContain(`npm install --global node@${dependencies.node}`)
    } finally {
      await machine.stop()
    }
  })

  describe.each(['nginx', 'caddy'] as const)('as a server behind %s', (proxy) => {
    const units = ['bi-manager-portal', 'bi-manager-reports']
    const listing = "find /opt/bi-manager -printf '%P %y %m %u %g %s %C@\\n' | sort > /root/"
    let machine: DebianMachine
    let browser: Browser
    let started: number
    let output: string
    let call: ReturnType<typeof callThrough>

    beforeAll(async () => {
      machine = await startWithVersion()
      started = performance.now()
      output = await machine.run(scriptOf(methods[proxy], { Serviços: `${listing}before.txt` }))
      browser = await launchBrowser([`--host-resolver-rules=MAP *.empresa.com.br:443 ${machine.address}:443`])
      const authority = join(machine.root, 'etc/ssl/bi-manager/autoridade.pem')
      call = callThrough(443, hosts.portal, authority, machine.address)
    }, 40 * minutes)
    afterAll(async () => {
      await browser?.close()
      await machine?.stop()
    })

    const property = async (unit: string, name: string) =>
      (await machine.run(`systemctl show --property=${name} --value ${unit}`)).trim()
    const isReady = () =>
      call('/readyz').then(
        ({ status }) => status === 200,
        () => false,
      )

    test('the first administrator opens a report', { timeout: 5 * minutes }, async () => {
      const visitor = await openBrowserProfile(browser, {
        portal: `https://${hosts.portal}`,
        ignoreHTTPSErrors: true,
      })
      const frame = await openReportOfFirstEntry(visitor, output)
      expect(new URL(frame.url()).origin).toBe(`https://${hosts.reports}`)
      await expectDrawn(frame, 'the first report')
      tell(`systemd and ${proxy}`, started, output)
      if (methods[proxy].includes('Exportar em PDF e PNG')) {
        const pdf = await exportAsPdf(visitor.page).catch((cause: unknown) => {
          throw new Error(`no export; the browser said: ${visitor.complaints.join('\n')}`, { cause })
        })
        expect(pdf.subarray(0, 5).toString()).toBe('%PDF-')
      }
      await visitor.close()
    })

    test('a backup is restored into an empty folder, which shows the report', {
      timeout: 15 * minutes,
    }, async () => {
      const blocks = ['pasta e chaves', 'copiar', 'ensaiar'].map((name) =>
        recipe(`systemd: ${name}`, {}, 'backup'),
      )
      const said = await machine.run(blocks.join('\n'))
      expect(said).not.toContain('INCOMPLETA')
      await expectRehearsal(machine)
    })

    test.runIf(proxy === 'nginx')(
      'a backup brings the server back on another empty Debian',
      {
        timeout: 40 * minutes,
      },
      async () => {
        const other = await startWithVersion()
        let otherBrowser: Browser | undefined
        try {
          const [copies, safe] = [join(machine.root, 'srv/copias'), join(machine.root, 'cofre')]
          mkdirSync(join(other.root, 'cofre'), { mode: 0o700 })
          for (const from of [copies, safe])
            for (const name of readdirSync(from))
              copyFileSync(join(from, name), join(other.root, 'cofre', name))
          const restore = recipe('systemd: recuperar em outro servidor', {}, 'backup')
          const [before, after] = [scriptOf(empty), scriptOf(['Início', 'Certificado', 'nginx'])]
          await other.run(`${before}\n${restore}\n${after}`)
          const rules = `--host-resolver-rules=MAP *.empresa.com.br:443 ${other.address}:443`
          otherBrowser = await launchBrowser([rules])
          const visitor = await openBrowserProfile(otherBrowser, {
            portal: `https://${hosts.portal}`,
            ignoreHTTPSErrors: true,
          })
          await visitor.goto('/')
          await visitor.signIn(administrator)
          const frame = await openFirstReport(visitor)
          expect(await visitor.page.getByText(/ambiente de teste|ensaio/i).count()).toBe(0)
          expect(new URL(frame.url()).origin).toBe(`https://${hosts.reports}`)
          await expectDrawn(frame, 'the report on the other server')
          await visitor.close()
          expect(await other.run('ls -A /srv')).toBe('')
        } finally {
          await otherBrowser?.close()
          await other.stop()
        }
      },
    )

    test('the certificate of the manual is valid for both names', async () => {
      const authority = join(machine.root, 'etc/ssl/bi-manager/autoridade.pem')
      const ofReports = callThrough(443, hosts.reports, authority, machine.address)
      expect([(await call('/readyz')).status, (await ofReports('/readyz')).status]).toEqual([200, 200])
    })

    test.each(units)('%s runs as its own user, which can write no file of the checkout', async (unit) => {
      const user = unit === 'bi-manager-portal' ? 'bi-manager' : unit
      const owner = await machine.run(`stat -c %U /proc/${await property(unit, 'MainPID')}`)
      expect(owner.trim()).toBe(user)
      const found = await machine.run(`find /opt/bi-manager ! -user root`)
      expect(found).toBe('')
      const writable = `cd / && runuser -u ${user} -- find /opt/bi-manager ! -type l -writable`
      expect(await machine.run(writable)).toBe('')
    })

    test.each([
      ['bi-manager-portal', 1.5],
      ['bi-manager-reports', 2.9],
    ])('systemd-analyze security gives the running %s at most %f', async (unit, limit) => {
      const line = await machine.run(`systemd-analyze --no-pager security ${unit} | tail -1`)
      const [, exposure] = /: ([\d.]+)/.exec(line) ?? []
      console.log(line.trim())
      expect(Number(exposure)).toBeLessThanOrEqual(limit)
    })

    test.each(units)('%s is started again after it was killed', { timeout: 2 * minutes }, async (unit) => {
      const before = await property(unit, 'MainPID')
      await machine.run(`kill -KILL ${before}`)
      await expect
        .poll(() => property(unit, 'MainPID'), { timeout: minutes })
        .not.toMatch(new RegExp(`^(0|${before})$`))
      await expect.poll(isReady, { timeout: minutes }).toBe(true)
      expect(await property(unit, 'NRestarts')).toBe('1')
    })

    test('systemctl stop drains: the portal answers until it ends', { timeout: 2 * minutes }, async () => {
      const stopped = machine.run('systemctl stop bi-manager-portal').then(() => 'stopped')
      await expect
        .poll(async () => (await call('/readyz')).status, { timeout: 10_000, interval: 50 })
        .toBe(503)
      const { status, text } = await call('/')
      expect([status, text.slice(0, 15).toLowerCase()]).toEqual([200, '<!doctype html>'])
      expect(await stopped).toBe('stopped')
      expect(await property('bi-manager-portal', 'Result')).toBe('success')
      expect(await property('bi-manager-portal', 'ExecMainStatus')).toBe('0')
      const log = await machine.run('journalctl --no-pager -u bi-manager-portal -n 20')
      expect(log).toContain('"stopped"')
      expect(log).not.toMatch(/timed out|Killing/)
      await machine.run('systemctl start bi-manager-portal')
      await expect.poll(isReady, { timeout: minutes }).toBe(true)
    })

    test('nothing in the checkout changed since it was built', async () => {
      const changes = await machine.run(
        `${listing}after.txt; diff /root/before.txt /root/after.txt && wc -l < /root/after.txt`,
      )
      expect(Number(changes)).toBeGreaterThan(1000)
    })

    test('the command of the manual finds the audit intact', () => {
      const [, audited = ''] = /== \d+ s: Conferir e cuidar\n(.*)$/s.exec(output) ?? []
      expect(audited).toMatch(/íntegra|intacta|confere/i)
    })
  })
})
