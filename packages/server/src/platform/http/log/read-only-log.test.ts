import { Writable } from 'node:stream'
import pg from 'pg'
import { expect, onTestFinished, test, vi } from 'vitest'
import { startTestApp } from '../../../../test/test-app.ts'
import { createUser } from '../../../../test/users.ts'
import { buildApp } from '../../../app.ts'

/* The kind: an outage writes a stack for each call, until the disk is full. */

test.runIf(process.env.TEST_DATABASE === 'postgres')(
  'a read-only database is named in each answer, and told in the log once a minute',
  async () => {
    const app = await startTestApp({}, { alone: true })
    onTestFinished(app.close)
    // Each ended connection is logged there.
    vi.spyOn(console, 'error').mockImplementation(() => {})
    const lines: { err?: { code?: string } }[] = []
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
        done()
      },
    })
    const config = { ...app.services.config, logLevel: 'info' } as const
    const server = await buildApp({ ...app.services, config }, { logTo })
    onTestFinished(() => server.close())
    const { token } = await app.as(await createUser(app, { tipoUsuario: 'ADMIN' }))
    const outside = new pg.Client({ connectionString: app.databaseUrl })
    await outside.connect()
    onTestFinished(() => outside.end())
    const name = new URL(app.databaseUrl ?? '').pathname.slice(1)
    await outside.query(`alter database "${name}" set default_transaction_read_only = on`)
    await outside.query(`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid()`)
    for (let n = 0; n < 20; n += 1) {
      const answer = await server.inject({
        method: 'POST',
        url: '/api/responsavel',
        headers: { authorization: `Bearer ${token}` },
        payload: { nomeResponsavel: 'Ninguém' },
      })
      expect([answer.statusCode, answer.json().detail]).toEqual([
        503,
        expect.stringMatching(/^O banco de dados só aceita leitura agora, e nada pode ser gravado\./),
      ])
    }
    expect(lines.filter(({ err }) => err?.code === '25006')).toHaveLength(1)
  },
)
