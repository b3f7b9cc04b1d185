import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'

interface S3Options {
  /** s3rver drops the final slash of a bucket's path, and so refuses signatures of listings. */
  allowMismatchedSignatures?: boolean
}

/** Starts an S3 server with one bucket that checks signatures and can be stopped and restarted. */
export const startS3 = async ({ allowMismatchedSignatures = false }: S3Options = {}) => {
  const directory = await mkdtemp(join(tmpdir(), 'bi-manager-s3-'))
  const bucket = 'anexos-de-teste'
  const listen = async (port: number): Promise<Server> => {
    const server = new S3rver({
      address: '127.0.0.1',
      port,
      silent: true,
      directory,
      allowMismatchedSignatures,
      // Otherwise it takes another host name than localhost for a bucket.
      vhostBuckets: false,
      configureBuckets: [{ name: bucket, configs: [] }],
    })
    await server.run()
    return server.httpServer
  }
  let server = await listen(0)
  const { port } = server.address() as AddressInfo
  const stop = async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  }
  return {
    settings: {
      S3_ENDPOINT: `http://127.0.0.1:${port}`,
      S3_BUCKET: bucket,
      S3_REGION: 'us-east-1',
      S3_ACCESS_KEY_ID: 'S3RVER',
      S3_SECRET_ACCESS_KEY: 'S3RVER',
    },
    server: () => server,
    names: async (): Promise<string[]> => {
      const found = await readdir(join(directory, bucket, 'attachments')).catch(() => [])
      return [...new Set(found.map((name) => name.replace(/\._S3rver.*$/, '')))]
    },
    stop,
    restart: async () => {
      server = await listen(port)
    },
    close: async () => {
      if (server.listening) await stop()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
