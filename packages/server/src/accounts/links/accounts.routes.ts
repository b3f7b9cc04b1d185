import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance } from 'fastify'
import { readCompanyName } from '../../platform/brand/brand.ts'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { createMailProbe } from '../../platform/mail/probe-mail-server.ts'
import { queueMail } from '../../platform/mail/queue-mail.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { accountExistsMail, recoveryMail } from '../accounts.mail.ts'
import {
  allLinks,
  consumeLink,
  createLink,
  findLink,
  linkAddress,
  linkLifetime,
  linksAtOnce,
  markOfAccountLink,
  NO_USER,
  passwordLinks,
} from '../credentials/account-links.ts'
import { bookAttempt, isWithinLimits, mailboxOf } from '../credentials/attempt-limits.ts'
import { sendConfirmation } from '../credentials/confirm-email.ts'
import { deleteFirstPassword } from '../credentials/first-password.ts'
import { assertPassword, samePasswordProblem } from '../credentials/password-rules.ts'
import { assertPasswordSignIn } from '../credentials/password-sign-in.ts'
import { hashPassword, isPassword } from '../credentials/passwords.ts'
import { replacePassword } from '../credentials/replace-password.ts'
import { revokeCredentialsExceptPassword } from '../credentials/revoke-credentials.ts'
import { deleteUnprovenIdentities } from '../credentials/unproven-identities.ts'
import { findNameOwners, lockNames, NAME_IN_USE } from '../names/names-in-use.ts'
import { accountWaiting } from '../users/account-waiting.ts'
import {
  claimOwnerWarning,
  insertPendingAccount,
  lockEmail,
  lockRecoverableAccount,
  renewRequest,
} from './accounts.repository.ts'
import { serveEmailConfirmation } from './email-confirmation.routes.ts'

/** Requests per e-mail in 15 minutes; per address, the limit of failed sign-ins applies. */
const perEmail = { cadastro: 10, recuperacao: linksAtOnce.recuperacao }
type Kind = keyof typeof perEmail

/* Neither answer nor response time may reveal whether an e-mail has an account: both cases run
   the same statements, some of which change no row, and one password hash. */
export const accountsRoutes = async (app: FastifyInstance, services: Services) => {
  const { db, config, secrets, now } = services
  const probe = createMailProbe(services)
  const authorize = async () => assertPasswordSignIn(config)

  const ofAddress = (kind: Kind, ip: string) => ({
    key: secrets.digest(`${kind}-endereco:${networkOf(ip)}`),
    limit: config.signInFailures.perAddress,
  })
  const ofEmail = (kind: Kind, email: string) => ({
    key: secrets.digest(`${kind}:${mailboxOf(email)}`),
    limit: perEmail[kind],
  })

  serve(
    app,
    accountsApi.signUp,
    async ({ body: { nome, email, password } }, { request, auditIn }) => {
      const owner = { nomeUsuario: nome, emailUsuario: email }
      assertPassword(password, { owner, companyName: await readCompanyName(services), field: 'password' })
      await bookAttempt(db, [ofEmail('cadastro', email), ofAddress('cadastro', request.ip)], now())
      probe(request.log)
      const senhaHash = await hashPassword(password)
      await inTransaction(db, async (tx) => {
        await lockEmail(tx, email)
        await assertNameFree(tx, nome)
        const draft = { ...owner, senhaHash, now: now() }
        const created = await insertPendingAccount(tx, draft)
        const renewed = await renewRequest(tx, draft)
        const replaced = renewed?.idUsuario ?? NO_USER
        const identidades = await deleteUnprovenIdentities(tx, replaced)
        await revokeCredentialsExceptPassword(tx, replaced, now())
        const waiting = created ?? renewed?.idUsuario
        const known = await claimOwnerWarning(tx, email, now())
        await auditIn(tx, 'account.requested', waiting ? `usuario:${waiting}` : undefined, {
          ...(waiting ? owner : {}),
          ...(created ? {} : { jaExistia: true }),
          ...(identidades.length > 0 ? { identidades } : {}),
        })
        await notify(tx, accountWaiting({ ...owner, idUsuario: created }), now())
        const asker = { ...owner, ...renewed, idUsuario: waiting, aguardaAprovacao: true }
        await sendConfirmation(tx, services, asker)
        const warning = {
          nome: known?.nomeUsuario ?? nome,
          link: `${config.publicUrl}/`,
        }
        const message = { para: known?.emailUsuario ?? email, mail: warning }
        await queueMail(tx, services, accountExistsMail, message, !!known)
      })
      return {
        mensagem: config.mail.smtpUrl
          ? 'Recebemos o seu pedido. Confirme o e-mail pelo link que enviamos; depois, um administrador precisa aprovar a conta.'
          : 'Recebemos o seu pedido. Este portal não envia e-mails: um administrador aprova a conta e combina com você o primeiro acesso.',
      }
    },
    { authorize },
  )

  serve(
    app,
    accountsApi.askRecovery,
    async ({ body: { email } }, { request, auditIn }) => {
      await bookAttempt(db, [ofAddress('recuperacao', request.ip)], now())
      probe(request.log)
      // Someone may be flooding the mailbox; its owner gets no error, and the links already sent
      // are valid.
      if (!(await isWithinLimits(db, [ofEmail('recuperacao', email)], now()))) return recoveryAsked
      await inTransaction(db, async (tx) => {
        await lockEmail(tx, email)
        const account = await lockRecoverableAccount(tx, email)
        const idUsuario = account?.idUsuario
        const token = await createLink(tx, services, { idUsuario, tipo: 'recuperacao' })
        await auditIn(tx, 'password.recovery-asked', idUsuario ? `usuario:${idUsuario}` : undefined)
        const minutos = linkLifetime.recuperacao / 60_000
        const mail = {
          nome: account?.nomeUsuario ?? email,
          link: linkAddress(config, 'recuperacao', token),
          minutos,
        }
        const message = {
          para: account?.emailUsuario ?? email,
          mail,
          vidaDoLink: { tabela: 'linkConta', marca: markOfAccountLink(secrets, token), minutos },
        } as const
        await queueMail(tx, services, recoveryMail, message, !!account)
      })
      return recoveryAsked
    },
    { authorize },
  )

  serve(app, accountsApi.inspectLink, async ({ body: { token } }) => {
    const link = await findLink(db, services, token, allLinks)
    const { tipo, nomeUsuario, emailUsuario, expiraEm, situacao, senhaHash, temIdentidade } = link
    // An e-mail is also confirmed when password sign-in is off.
    if (tipo !== 'confirmacao') assertPasswordSignIn(config)
    return {
      tipo,
      nomeUsuario,
      emailUsuario,
      aguardaAprovacao: situacao === 'PENDENTE',
      pedeSenha: tipo === 'confirmacao' && senhaHash !== null,
      provedor: tipo === 'confirmacao' && temIdentidade ? (config.oidc?.name ?? ANY_PROVIDER) : null,
      expiraEm: expiraEm.toISOString(),
    }
  })

  serveEmailConfirmation(app, services)

  serve(
    app,
    accountsApi.reset,
    async ({ body: { token, novaSenha } }, { request }) => {
      const link = await findLink(db, services, token, passwordLinks)
      // Before the link is consumed, so that the user can try another password.
      assertPassword(novaSenha, {
        owner: link,
        companyName: await readCompanyName(services),
        field: 'novaSenha',
      })
      if (await isPassword(link.senhaHash, novaSenha)) throw samePasswordProblem('novaSenha')
      const senhaHash = await hashPassword(novaSenha)
      const owner = await inTransaction(db, async (tx) => {
        const { idUsuario, tipo: meio } = await consumeLink(tx, services, token, passwordLinks)
        const replacement = { idUsuario, senhaHash, kept: undefined, meio, request }
        if (!(await replacePassword(tx, services, replacement))) throw new Problem('link_invalido')
        return idUsuario
      })
      deleteFirstPassword(config, owner)
    },
    { authorize },
  )
}

/**
 * Unproven requests are not compared: one exists only where the e-mail had no account, so a
 * conflict would reveal that. Their names are compared at the approval.
 */
const assertNameFree = async (tx: Db, nome: string): Promise<void> => {
  await lockNames(tx)
  const [owner] = await findNameOwners(tx, [nome], { withUnprovenRequests: false })
  if (owner) throw new Problem('campos_invalidos', { campos: { nome: NAME_IN_USE } })
}

/** Shown when the account's provider is no longer configured. */
const ANY_PROVIDER = 'o provedor de identidade'

const recoveryAsked = {
  mensagem:
    'Se houver uma conta ativa com este e-mail, ou um pedido de conta não confirmado, enviamos um link para definir uma nova senha. Ele vale por 10 minutos.',
}
