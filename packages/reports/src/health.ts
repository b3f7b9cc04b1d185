import type { FastifyInstance } from 'fastify'
import type { Catalog } from './engine/catalog.ts'

/**
 * `/healthz`: the process answers. `/readyz`: the data is loaded. The number of warnings is public;
 * their text (names of files and tables) is only in the log.
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
