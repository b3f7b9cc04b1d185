import { Writable } from 'node:stream'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { onServer } from '../../../../test/database/test-database.ts'
import { startTestApp } from '../../../../test/test-app.ts'
import { buildApp } from '../../../app.ts'

/* The kind: /readyz asks whether the database answers, and not whether the portal can work with its
   answers, so that a load balancer keeps a node of which each call fails. */

const isPostgres = process.env.TEST_DATABASE === 'postgres'

test.each([
  ['DateStyle', 'SQL, DMY', 'ISO, MDY'],
  // Changes days without any error.
  ['TimeZone', 'Asia/Kathmandu', 'UTC'],
])(
  '/readyz is 503 while the database answers with another %s, and the log says what to do',
  async (name, value, right) => {
    const app = await startTestApp({}, { alone: true })
    onTestFinished(app.close)
    const lines: { err?: { message: string } }[] = []
    const logTo = new Writable({
      write(chunk, _encoding, done) {
        for (const line of String(chunk).trim().split('\n')) lines.push(JSON.parse(line))
        done()
      },
    })
    const config = { ...app.services.config, logLevel: 'info' } as const
    const server = await buildApp({ ...app.services, config }, { logTo })
    onTestFinished(() => server.close())
    /** For the role, as on the day after the portal's start; the embedded database has one session. */
    const change = async (to: string) => {
      if (!isPostgres) return sql.raw(`set ${name} = '${to}'`).execute(app.db)
      const base = new URL(app.databaseUrl ?? '').pathname.slice(1)
      await onServer(`do $$ begin
      execute format('alter role %I in database "${base}" set ${name} = %L', current_user, '${to}'); end $$`)
      return onServer(`select pg_terminate_backend(pid) from pg_stat_activity where datname = '${base}'`)
    }
    const readiness = async () => {
      const answer = await server.inject('/readyz')
      return [answer.statusCode, answer.json().banco]
    }
    await expect.poll(readiness).toEqual([200, true])
    await change(value)
    await expect.poll(readiness).toEqual([503, false])
    expect(lines.map(({ err }) => err?.message)).toContain(
      `O banco de dados passou a responder com ${name} = '${value}' (deve ser '${right}'): reinicie o portal, que define esses valores de novo, e atrás de um PgBouncer dê RECONNECT.`,
    )
    await change(right)
    await expect.poll(readiness).toEqual([200, true])
  },
)
