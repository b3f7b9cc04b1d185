import { existsSync } from 'node:fs'
import { statfs } from 'node:fs/promises'
import { attachmentsApi, beneficiariesApi, oidcApi, reportsApi, sessionsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import fp from 'fastify-plugin'
import type { Config } from '../../config/config.ts'
import { Problem } from '../../lib/problem.ts'
import { isApi, matcherOf, sessionEndingCalls } from '../api/routes-of-api.ts'

declare module 'fastify' {
  interface FastifyInstance {
    /** Whether the disk of DATA_DIR has at least the reserved free space. */
    hasFreeSpace: () => Promise<boolean>
  }
}

/**
 * A user needs these calls to sign in, open reports and search, and to end a stolen session. They
 * use the reserved space.
 */
const isFromReserve = matcherOf([
  sessionsApi.signIn,
  oidcApi.start,
  oidcApi.finish,
  reportsApi.embed,
  reportsApi.recordView,
  beneficiariesApi.search,
  ...sessionEndingCalls,
])

/** The calls that write to DATA_DIR directly. */
const isUpload = matcherOf([attachmentsApi.create])

/** Milliseconds for which a reading of the file system is cached. */
const lookEvery = 1_000

/**
 * Refuses calls that write while the disk is nearly full: on a full disk the embedded database
 * stops, and reads with it. The reserve is for what sign-ins and reads write. With PostgreSQL, only
 * uploads need the disk.
 */
export const freeSpaceGuard = fp(
  async (
    app: FastifyInstance,
    { dataDir, databaseUrl, minFreeMegabytes }: Pick<Config, 'dataDir' | 'databaseUrl' | 'minFreeMegabytes'>,
  ) => {
    const needsSpace = (request: FastifyRequest): boolean =>
      databaseUrl ? isUpload(request) : !isFromReserve(request)
    let looked = { at: Number.NEGATIVE_INFINITY, hasSpace: Promise.resolve(true) }
    const look = async (): Promise<boolean> => {
      // The folder is created at the first write.
      if (!existsSync(dataDir)) return true
      const { bavail, bsize } = await statfs(dataDir)
      return (bavail * bsize) / 2 ** 20 >= minFreeMegabytes
    }
    app.decorate('hasFreeSpace', () => {
      const now = performance.now()
      if (now - looked.at > lookEvery) looked = { at: now, hasSpace: look() }
      return looked.hasSpace
    })
    app.addHook('onRequest', async (request) => {
      if (request.method === 'GET' || !isApi(request) || !needsSpace(request)) return
      if (!(await app.hasFreeSpace())) throw new Problem('sem_espaco')
    })
  },
)
