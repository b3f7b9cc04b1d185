import { systemStatusApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { attentionOf } from './attention.ts'
import { createStatusCollector } from './collect-status.ts'
import { createExpiryDates } from './expiry-dates.ts'
import { sendTestMail } from './send-test-mail.ts'
import { testMail } from './system-status.mail.ts'

export const systemStatusRoutes = async (app: FastifyInstance, services: Services) => {
  const status = createStatusCollector({
    ...services,
    expiryDates: createExpiryDates(services),
    log: app.log,
  })

  serve(app, systemStatusApi.get, () => status.collect())

  serve(app, systemStatusApi.attention, async (_, { user }) => {
    // The demo has neither backups nor a mail server, and needs none.
    const isDemo = services.config.demoSeed !== undefined
    return attentionOf(services.db, user.idUsuario, isDemo ? undefined : await status.collect())
  })

  serve(app, systemStatusApi.testMail, async (_, { user, write }) => {
    const { nomeUsuario: nome, emailUsuario: para } = user
    // Recorded first, so that a caller who has just lost the permission sends nothing.
    await write((_, audit) => audit('mail.tested'))
    const result = await sendTestMail(services, testMail, { para, nome })
    status.forget()
    return result
  })
}
