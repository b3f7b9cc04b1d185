import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { createLink, findLink, linkLifetime, linksAtOnce, useLink } from '../../auth/account-links.ts'
import { bookAttempt, networkOf } from '../../auth/attempt-limits.ts'
import { assertPassword, sameAsBefore } from '../../auth/password-rules.ts'
import { assertPasswordSignIn } from '../../auth/password-sign-in.ts'
import { hashPassword, isPassword } from '../../auth/passwords.ts'
import { replacePassword } from '../../auth/replace-password.ts'
import { inTransaction } from '../../db/in-transaction.ts'
import { serve } from '../../http/serve.ts'
import type { Services } from '../../http/services.ts'
import { queueMail } from '../../mail/queue-mail.ts'
import { accountWaiting } from '../../notifications/account-waiting.ts'
import { notify } from '../../notifications/notify.ts'
import { Problem } from '../../problem.ts'
import { insertPendingAccount, lockActiveAccount, lockEmail, takeOwnerToWarn } from './accounts.repository.ts'

/** Requests with one e-mail in 15 minutes; with one address, as many as failed sign-ins. */
const perEmail = { cadastro: 10, recuperacao: linksAtOnce.recuperacao }
type Kind = keyof typeof perEmail

/*
 * Whether an e-mail has an account must show neither in an answer nor in how long it takes: both ways ask the same statements of
 * the database, where what is not meant changes no row, and both cost one password hash.
 */
export const accountsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now, recordAudit } = services
  const authorize = async () => assertPasswordSignIn(config)

  const ofAddress = (kind: Kind, ip: string) => ({
    key: secrets.digest(`${kind}-endereco:${networkOf(ip)}`),
    limit: config.signInFailures.perAddress,
  })
  const ofEmail = (kind: Kind, email: string) => ({
    key: secrets.digest(`${kind}:${email.toLowerCase()}`),
    limit: perEmail[kind],
  })

  serve(
    app,
    accountsApi.signUp,
    async ({ body: { nome, email, password } }, { request }) => {
      const owner = { nomeUsuario: nome, emailUsuario: email }
      assertPassword(password, { owner, companyName: config.companyName, field: 'password' })
      await bookAttempt(db, [ofEmail('cadastro', email), ofAddress('cadastro', request.ip)], now())
      const senhaHash = await hashPassword(password)
      await inTransaction(db, async (tx) => {
        await lockEmail(tx, email)
        const created = await insertPendingAccount(tx, { ...owner, senhaHash, now: now() })
        const known = await takeOwnerToWarn(tx, email, now())
        await recordAudit(tx, {
          action: 'account.requested',
          idUsuario: null,
          ...(created ? { subject: `usuario:${created}` } : {}),
          details: created ? { nomeUsuario: nome, emailUsuario: email } : { jaExistia: true },
          request,
        })
        await notify(
          tx,
          created ? 'administradores' : [],
          accountWaiting({ ...owner, idUsuario: created }),
          now(),
        )
        const warning = {
          modelo: 'conta_existente',
          nome: known?.nomeUsuario ?? nome,
          link: `${config.publicUrl}/`,
        } as const
        await queueMail(tx, services, { para: known?.emailUsuario ?? email, mail: warning }, !!known)
      })
      return { mensagem: 'Recebemos o seu pedido. Um administrador precisa aprovar a conta.' }
    },
    { authorize },
  )

  serve(
    app,
    accountsApi.askRecovery,
    async ({ body: { email } }, { request }) => {
      await bookAttempt(db, [ofAddress('recuperacao', request.ip)], now())
      const isSent = await bookAttempt(db, [ofEmail('recuperacao', email)], now()).then(
        () => true,
        (error: unknown) => {
          if (error instanceof Problem && error.codigo === 'muitas_tentativas') return false
          throw error
        },
      )
      // Somebody floods a mailbox, whose owner is not to be refused for it: the links that they have are good.
      if (!isSent) return recoveryAsked
      await inTransaction(db, async (tx) => {
        await lockEmail(tx, email)
        const account = await lockActiveAccount(tx, email)
        const idUsuario = account?.idUsuario
        const token = await createLink(tx, services, { idUsuario, tipo: 'recuperacao' })
        await recordAudit(tx, {
          action: 'password.recovery-asked',
          idUsuario: null,
          ...(idUsuario ? { subject: `usuario:${idUsuario}` } : {}),
          request,
        })
        const mail = {
          modelo: 'recuperacao',
          nome: account?.nomeUsuario ?? email,
          link: `${config.publicUrl}/recovery-password?token=${token}`,
          minutos: linkLifetime.recuperacao / 60_000,
        } as const
        await queueMail(tx, services, { para: account?.emailUsuario ?? email, mail }, !!account)
      })
      return recoveryAsked
    },
    { authorize },
  )

  serve(
    app,
    accountsApi.inspectLink,
    async ({ body: { token } }) => {
      const link = await findLink(db, services, token)
      if (!link) throw new Problem('link_invalido')
      const { tipo, nomeUsuario, emailUsuario, expiraEm } = link
      return { tipo, nomeUsuario, emailUsuario, expiraEm: expiraEm.toISOString() }
    },
    { authorize },
  )

  serve(
    app,
    accountsApi.reset,
    async ({ body: { token, novaSenha } }, { request }) => {
      const link = await findLink(db, services, token)
      if (!link) throw new Problem('link_invalido')
      // Before the link is used up: whoever is told to choose another password can go on.
      assertPassword(novaSenha, { owner: link, companyName: config.companyName, field: 'novaSenha' })
      if (await isPassword(link.senhaHash, novaSenha)) throw sameAsBefore('novaSenha')
      const senhaHash = await hashPassword(novaSenha)
      await inTransaction(db, async (tx) => {
        const used = await useLink(tx, services, token)
        if (!used) throw new Problem('link_invalido')
        const { idUsuario, tipo: meio } = used
        const replacement = { idUsuario, senhaHash, kept: undefined, meio, request }
        if (!(await replacePassword(tx, services, replacement))) throw new Problem('link_invalido')
      })
    },
    { authorize },
  )
}

const recoveryAsked = {
  mensagem:
    'Se houver uma conta ativa com este e-mail, enviamos um link para definir uma nova senha. Ele vale por 10 minutos.',
}
