import { withinTime } from '@bi-manager/telemetry/within-time'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { assertUnchanged, sessionSettings } from '../../platform/db/drivers/session-settings.ts'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'

const checkMs = 3_000

/**
 * Serves `/healthz` (the process answers) and `/readyz` (the database answers too, and in the demo
 * the report service with its data). `/readyz` is 503 from the moment the process drains.
 */
export const healthRoutes = async (app: FastifyInstance, { db, config }: Services) => {
  const open = { config: { permission: 'public' }, schema: { hide: true } } as const
  /** Checks that failed at the last probe. Each failure is logged once, not at every probe. */
  const failing = new Set<string>()
  app.get('/healthz', open, async () => ({ situacao: 'ativo' }))
  app.get('/readyz', open, async (request, reply) => {
    if (app.draining.isOn) return reply.code(503).send({ situacao: 'encerrando' })
    const checks = {
      banco: () => assertUsable(db),
      ...(config.demoSeed
        ? { relatorios: () => assertReady(`${config.bi.addresses.local.api}/readyz`) }
        : {}),
    }
    const results = await Promise.all(
      Object.entries(checks).map(async ([name, check]): Promise<[string, boolean]> => {
        try {
          await withinTime(check(), checkMs)
          if (failing.delete(name)) request.log.info({ check: name }, 'ready again')
          return [name, true]
        } catch (err) {
          if (!failing.has(name)) request.log.warn({ err, check: name }, 'not ready')
          failing.add(name)
          return [name, false]
        }
      }),
    )
    const ready = results.every(([, ok]) => ok)
    // With a full disk reads still work, so a load balancer must keep the process.
    const espaco = await app.hasFreeSpace()
    const withoutSpace = config.databaseUrl ? 'sem espaço para arquivos' : 'somente leitura: disco cheio'
    const situacao = !ready ? 'indisponivel' : espaco ? 'pronto' : withoutSpace
    if (!ready) reply.header('retry-after', '2')
    return reply.code(ready ? 200 : 503).send({ situacao, ...Object.fromEntries(results), espaco })
  })
}

const settingValues = sql.join(
  sessionSettings.map(({ name }) => sql`${sql.lit(name)}, current_setting(${sql.lit(name)})`),
)

/** A connection with other settings would read wrong dates or none at all, and still answer. */
const assertUsable = async (db: Db): Promise<void> => {
  // FOR UPDATE, because a standby that is not promoted yet refuses it.
  const { rows } = await sql<{ settings: Record<string, string> }>`
    select json_build_object(${settingValues}) as settings,
      exists (select from configuracao where false for update) as is_locked`.execute(db)
  assertUnchanged(rows[0]?.settings ?? {})
}

const assertReady = async (url: string): Promise<void> => {
  const response = await fetch(url, { signal: AbortSignal.timeout(checkMs), redirect: 'error' })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`${url} answered ${response.status}`)
}
