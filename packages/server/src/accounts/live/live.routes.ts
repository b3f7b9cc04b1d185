import { PassThrough } from 'node:stream'
import { type LiveEvent, liveApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createAccessNotifier } from './access-watch.ts'

/** One stream serves all windows of a browser; more than these are abuse. */
const streamsPerSession = 20
const streamsPerPerson = 60

/** Milliseconds. Proxies and browsers close a connection without traffic. */
const heartbeatMs = 20_000

const reconnectAfterMs = 1_000

export const liveRoutes = async (app: FastifyInstance, { db, now, config }: Services) => {
  const watch = createAccessNotifier({
    db,
    now,
    idleSeconds: config.session.idleSeconds,
    onError: (err) => app.log.warn({ err }, 'failed to check for changes of access'),
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
    // Also called when the process stops: the client then reconnects to another process.
    const onEnd = () => stream.end(`retry: ${reconnectAfterMs}\n\n`)
    const stop = watch.watch({ idSessao, idUsuario, onChange: send, onEnd }, user)
    const heartbeat = setInterval(() => stream.write(':\n\n'), heartbeatMs)
    stream.on('close', () => {
      clearInterval(heartbeat)
      stop()
    })
    stream.write(': aberto\n\n')
    // Stops nginx from buffering the events.
    reply.header('x-accel-buffering', 'no')
    return stream
  })
}
