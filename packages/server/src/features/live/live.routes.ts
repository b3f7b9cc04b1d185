import { PassThrough } from 'node:stream'
import { type LiveEvent, liveApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { createAccessWatch } from '../../access/access-watch.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { Problem } from '../../problem.ts'

/** One stream serves all windows of a browser; more than this of one session, or of one person, is no browser. */
const streamsPerSession = 20
const streamsPerPerson = 60

/** Proxies and browsers take a silent connection for a dead one. */
const heartbeatMs = 20_000

const reconnectAfterMs = 1_000

export const liveRoutes = async (app: FastifyInstance, { db, now, config }: Services) => {
  const watch = createAccessWatch({
    db,
    now,
    idleSeconds: config.session.idleSeconds,
    onError: (err) => app.log.warn({ err }, 'looking for changes of access failed'),
  })
  app.addHook('preClose', async () => watch.close())

  serve(app, liveApi.stream, (_, { user, reply }) => {
    const { idSessao, idUsuario } = user
    if (
      watch.countOf({ idSessao }) >= streamsPerSession ||
      watch.countOf({ idUsuario }) >= streamsPerPerson
    ) {
      throw new Problem('muitas_tentativas', { retryAfter: 60 })
    }
    const stream = new PassThrough()
    const send = (event: LiveEvent) => stream.write(`event: ${event}\ndata: {}\n\n`)
    // Also when the process stops: the client's next connection reaches another one.
    const onEnd = () => stream.end(`retry: ${reconnectAfterMs}\n\n`)
    const stop = watch.watch({ idSessao, idUsuario, onChange: send, onEnd }, user)
    const heartbeat = setInterval(() => stream.write(':\n\n'), heartbeatMs)
    stream.on('close', () => {
      clearInterval(heartbeat)
      stop()
    })
    stream.write(': aberto\n\n')
    // nginx would hold the events back.
    reply.header('x-accel-buffering', 'no')
    return stream
  })
}
