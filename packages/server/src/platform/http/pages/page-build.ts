import { createHash } from 'node:crypto'
import { readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FastifyInstance } from 'fastify'

/**
 * Returns the built page, and what identifies its build: `1764200000000-3f2a5b6c7d8e`, when it was
 * built and what it loads. Nodes that build the same version themselves differ only in the time.
 */
export const readBuiltPage = async (root: string): Promise<{ page: string; build: string }> => {
  const file = join(root, 'index.html')
  const [page, { mtime }] = await Promise.all([readFile(file, 'utf8'), stat(file)])
  const content = createHash('sha256').update(page).digest('hex').slice(0, 12)
  return { page, build: `${mtime.getTime()}-${content}` }
}

/** Names the build in each answer, so that an open page notices a new version of itself. */
export const addBuildHeader = async (app: FastifyInstance, root: string): Promise<void> => {
  const { build } = await readBuiltPage(root)
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-portal-build', build)
    done()
  })
}
