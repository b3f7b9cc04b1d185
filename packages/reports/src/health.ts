import type { FastifyInstance } from 'fastify'
import type { Catalog } from './engine/catalog.ts'

/**
 * `/healthz`: the process answers. `/readyz`: the data is loaded. How many warnings that gave is for anybody
 * to see; what they say (names of files and tables) stands in the log alone.
 */
export async function healthRoutes(
  app: FastifyInstance,
  { catalog }: { catalog: () => Catalog | undefined },
) {
  app.get('/healthz', async () => ({ situacao: 'ok' }))
  app.get('/readyz', async (_request, reply) => {
    const known = catalog()
    if (!known) return reply.code(503).send({ situacao: 'carregando' })
    return { situacao: 'pronto', relatorios: known.reports.size, avisos: known.warnings.length }
  })
}
