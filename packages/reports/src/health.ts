import type { FastifyInstance } from 'fastify'
import type { Catalog } from './engine/data/catalog.ts'

interface HealthOptions {
  catalog: () => Catalog | undefined
  draining: { isOn: boolean }
}

/**
 * `/healthz`: the process answers. `/readyz`: the data is loaded; 503 from the moment the process
 * drains. The number of warnings is public; their texts name files and tables and are only logged.
 */
export async function healthRoutes(app: FastifyInstance, { catalog, draining }: HealthOptions) {
  app.get('/healthz', async () => ({ situacao: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    if (draining.isOn) return reply.code(503).send({ situacao: 'encerrando' })
    const known = catalog()
    if (!known) return reply.code(503).send({ situacao: 'carregando' })
    return { situacao: 'pronto', relatorios: known.reports.size, avisos: known.warnings.length }
  })
}
