import { receivedSubscriptionsApi, UNSUBSCRIBE_PATH } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { personSees } from '../../reports/index.ts'
import { insertExit } from './recipients/recipients.repository.ts'
import { type Membership, membershipOf } from './recipients/unsubscribe-token.ts'
import { subscriptionRows } from './subscriptions.repository.ts'

/** The link in each e-mail, which works without a session. */
export const unsubscribeRoutes = async (app: FastifyInstance, { db, secrets, writeAudit, now }: Services) => {
  // Mail programs send a form of either kind (RFC 8058, section 3.2); its content is not needed.
  for (const type of ['application/x-www-form-urlencoded', 'multipart/form-data'])
    app.addContentTypeParser(type, { parseAs: 'string', bodyLimit: 8_192 }, (_, __, done) => done(null))

  // Programs that do not know RFC 8058 open the address in a browser: the page asks first.
  app.addHook('onRequest', async ({ method, headers, url }, reply) => {
    if (method !== 'GET' || !headers.accept?.includes('text/html')) return
    const { search } = new URL(url, 'http://portal')
    return reply.redirect(`${UNSUBSCRIBE_PATH}${search}`, 303)
  })

  const membershipIn = (token: string): Membership => {
    const membership = membershipOf(secrets, token)
    if (!membership) throw new Problem('link_invalido')
    return membership
  }

  serve(app, receivedSubscriptionsApi.unsubscribePage, async ({ query: { token } }) => {
    const membership = membershipIn(token)
    const row = await findMembership(membership)
    if (!row) throw new Problem('link_invalido')
    const { assunto, emailUsuario, saiu } = row
    return { assunto, email: maskedEmail(emailUsuario), saiu }
  })

  const findMembership = ({ idAssinatura, idUsuario }: Membership) =>
    db
      .selectFrom('usuario')
      .leftJoin('assinatura', (join) => join.on('idAssinatura', '=', idAssinatura))
      .select('emailUsuario')
      // The subject may name the report.
      .select(
        sql<
          string | null
        >`case when ${isActiveAccount()} and ${personSees('usuario', 'assinatura.idRelatorio')}
          then assunto end`.as('assunto'),
      )
      .select(
        sql<boolean>`exists (select from assinatura_saida s
          where s.id_assinatura = ${idAssinatura} and s.id_usuario = ${idUsuario})`.as('saiu'),
      )
      .where('idUsuario', '=', idUsuario)
      .executeTakeFirst()

  serve(app, receivedSubscriptionsApi.unsubscribe, async ({ query: { token } }, { request }) => {
    const { idAssinatura, idUsuario } = membershipIn(token)
    await inTransaction(db, async (tx) => {
      // Locked, so that neither is deleted before the insert.
      const both = await tx
        .selectFrom('assinatura')
        .innerJoin('usuario', (join) => join.on('idUsuario', '=', idUsuario))
        .select('idAssinatura')
        .where('idAssinatura', '=', idAssinatura)
        .forKeyShare()
        .executeTakeFirst()
      // A deleted subscription sends nothing either.
      if (!both || !(await insertExit(tx, idAssinatura, idUsuario, now()))) return
      await writeAudit(tx, {
        action: 'subscription.left',
        idUsuario,
        subject: subscriptionRows.subjectOf(idAssinatura),
        details: { porLink: true },
        request,
      })
    })
  })
}

/** Returns `a…@exemplo.com.br`: a forwarded link must not show the whole address. */
const maskedEmail = (email: string): string => email.replace(/^(.)[^@]*/u, '$1…')
