import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { ensureServiceFile } from '@bi-manager/reports/protocol/rest/service-file'
import { copyEmbedded } from '@bi-manager/server/test/database/embedded-template'
import { password } from '@bi-manager/server/test/processes/killed-server'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { fixtureFiles, writeFiles } from '../../packages/reports/test/fixture.ts'
import { findPostgres } from '../machines/find-tools.ts'
import { type RunningPostgres, startOwnPostgres } from '../machines/postgres.ts'
import { endProcess } from '../nodes/bound-process.ts'
import { registerReport, startBoth } from './live-services.ts'

/*
 * The kind of fault: a backup leaves out, without a word, what another process keeps in its own
 * folder. Portal and report service have folders of their own here, as with systemd units and in
 * Kubernetes. Looked for in the folder backup, the encrypted one, the scheduled one (which runs the
 * same code) and both restores.
 */

const root = join(import.meta.dirname, '../..')

/** Runs an operator's command, and returns its exit code and all that it says. */
const command = (args: string[], env: Record<string, string>) =>
  new Promise<{ code: number; said: string }>((resolve) => {
    const options = { cwd: root, env: { PATH: process.env.PATH, MIN_FREE_MB: '0', ...env } }
    execFile(process.execPath, ['scripts/run.js', ...args], options, (error, stdout, stderr) => {
      resolve({ code: error ? Number(error.code) : 0, said: stdout + stderr })
    })
  })

const isSkipped = !findPostgres()
describe.each(['embedded', 'postgres'] as const)('a backup on %s', (kind) => {
  describe.skipIf(kind === 'postgres' && isSkipped)('of services with folders of their own', () => {
    let folder: string
    let server: RunningPostgres | undefined
    let both: Awaited<ReturnType<typeof startBoth>>
    let settings: Record<string, string>
    const at = (name: string) => join(folder, name)
    const urlOf = (database: string): Record<string, string> => {
      if (!server) return {}
      const url = new URL(server.url)
      url.pathname = database
      return { DATABASE_URL: url.href }
    }
    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'bi-manager-restored-'))
      await mkdir(at('portal'))
      if (kind === 'postgres') server = await startOwnPostgres()
      else await copyEmbedded(join(at('portal'), 'database'))
      await writeFiles(at('service'), fixtureFiles)
      await ensureServiceFile(at('service'))
      const places = { dataDir: at('portal'), reportsDir: at('service') }
      const source = server ? { DATABASE_URL: server.url } : {}
      both = await startBoth(places, { ...source, REPORTS_TRUST_PROXY: 'false' } as Record<string, string>)
      const { access_token } = await both.signIn(password)
      await registerReport(both.call({ authorization: `Bearer ${access_token}` }), at('service'))
      settings = { ...source, DATA_DIR: at('portal'), REPORTS_URL: both.reports.url } as Record<
        string,
        string
      >
      // The command needs the embedded database for itself; the report service goes on.
      if (kind === 'embedded') await endProcess(both.portal.child, 'SIGTERM')
      await cp(join(at('portal'), 'app-secret.key'), join(at('vault'), 'app-secret.key'))
    }, 400_000)
    afterAll(async () => {
      await both?.stop()
      await server?.stop()
      await rm(folder, { recursive: true, force: true })
    })

    const rowsAfterRestore = async (restored: { dataDir: string; reportsDir: string }, database: string) => {
      const again = await startBoth(restored, { ...urlOf(database) })
      try {
        const { access_token } = await again.signIn(password)
        return await again.readReport({ authorization: `Bearer ${access_token}` })
      } finally {
        await again.stop()
      }
    }
    const createDatabase = async (name: string) => {
      if (!server) return
      const { default: pg } = await import('pg')
      const client = new pg.Client({ connectionString: server.url })
      await client.connect()
      await client.query(`create database ${name}`)
      await client.end()
    }

    test('a restore of services with folders of their own into a folder takes reports, data and credentials, which open a report after the restore', {
      timeout: 600_000,
    }, async () => {
      const { code, said } = await command(['backup', at('copy')], settings)
      expect(said).toContain(
        `Do serviço de relatórios: 2 relatórios e 2 conjuntos de dados, do serviço em ${both.reports.url}, pela conexão Local.`,
      )
      expect(code).toBe(0)
      const { relatorios } = JSON.parse(await readFile(join(at('copy'), 'manifest.json'), 'utf8'))
      expect(relatorios).toEqual({ origem: 'servico', relatorios: 2, conjuntos: 2 })
      const serviceFile = await readFile(join(at('service'), 'service.json'), 'utf8')
      expect(await readFile(join(at('copy'), 'keys/reports/service.json'), 'utf8')).toBe(serviceFile)

      // Both in one place, as `npm start` has them.
      await createDatabase('whole')
      const whole = { DATA_DIR: at('whole'), ...urlOf('whole') }
      const restored = await command(['restore', at('copy'), '--keys', at('vault')], whole)
      expect([restored.code, restored.said]).toEqual([
        0,
        expect.stringContaining(`O serviço de relatórios está em ${at('whole')}/reports: 2 relatórios e 2`),
      ])
      const places = { dataDir: at('whole'), reportsDir: join(at('whole'), 'reports') }
      expect(await rowsAfterRestore(places, 'whole')).toEqual([[2]])
    })

    test('a restore of services with folders of their own with encryption is verified with them, and restores each part where it runs', {
      timeout: 600_000,
    }, async () => {
      const key = at('key.txt')
      const { said: made } = await command(['backup-key', key], {})
      const BACKUP_KEY = /age1[a-z\d]+/.exec(made)?.[0] ?? ''
      const target = { BACKUP_KEY, BACKUP_TARGET: at('target'), ...settings }
      const { code, said } = await command(['backup'], target)
      expect([code, said]).toEqual([
        0,
        expect.stringMatching(
          /Ela foi lida de volta, decifrada e restaurada em um banco provisório, com 2 relatórios e 2 conjuntos de dados\./,
        ),
      ])
      const [name = ''] = await readdir(at('target'))
      const copy = [join(at('target'), name), '--identity', key, '--keys', at('vault')]
      await createDatabase('apart')
      const apart = { DATA_DIR: at('apart'), ...urlOf('apart') }
      expect((await command(['restore', ...copy, '--without-reports'], apart)).code).toBe(0)
      expect(await readdir(at('apart'))).not.toContain('reports')

      // A service that has started has credentials of its own, and perhaps reports.
      await writeFiles(at('other'), { 'workspaces/x/workspace.json': '{}' })
      await ensureServiceFile(at('other'))
      const ofService = ['restore', ...copy, '--reports', at('other')]
      const refused = await command(ofService, { DATA_DIR: at('nothing') })
      expect([refused.code, refused.said]).toEqual([
        1,
        expect.stringMatching(/já tem relatórios .*--replace/),
      ])
      const replaced = await command([...ofService, '--replace'], { DATA_DIR: at('nothing') })
      expect([replaced.code, replaced.said]).toEqual([
        0,
        expect.stringMatching(
          /está agora em .*\/other\/\.antes-.*\n.*2 relatórios e 2 conjuntos de dados, conferidos/,
        ),
      ])
      expect((await readdir(at('other'))).sort()).toEqual([
        expect.stringMatching(/^\.antes-/),
        'datasets',
        'service.json',
        'workspaces',
      ])
      expect(await rowsAfterRestore({ dataDir: at('apart'), reportsDir: at('other') }, 'apart')).toEqual([
        [2],
      ])
    })

    test('a restore of services with folders of their own without an answer of the service says that it is incomplete, and fails', {
      timeout: 600_000,
    }, async () => {
      await endProcess(both.reports.child, 'SIGTERM')
      const { code, said } = await command(['backup', at('lacking')], settings)
      expect([code, said]).toEqual([
        1,
        expect.stringMatching(
          /Cópia INCOMPLETA: .* O serviço de relatórios em http:\S+ não respondeu: inicie-o, ou corrija REPORTS_INTERNAL_URL/,
        ),
      ])
      // The manual's vault: the keys of an earlier backup, with the credentials of the service.
      await cp(at('vault'), at('earlier-keys'), { recursive: true })
      await cp(join(at('service'), 'service.json'), join(at('earlier-keys'), 'reports/service.json'))
      await createDatabase('lacking')
      const lacking = { DATA_DIR: at('from-lacking'), ...urlOf('lacking') }
      const restored = await command(['restore', at('lacking'), '--keys', at('earlier-keys')], lacking)
      expect([restored.code, restored.said]).toEqual([
        0,
        expect.stringContaining('A cópia não tem os relatórios publicados'),
      ])
      const service = await command(
        ['restore', at('lacking'), '--keys', at('earlier-keys'), '--reports', at('none')],
        { DATA_DIR: at('nothing') },
      )
      expect([service.code, service.said]).toEqual([
        1,
        expect.stringMatching(/INCOMPLETA: não tem o serviço de relatórios\. .* use --without-reports/),
      ])
    })
  })
})
