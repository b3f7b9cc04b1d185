import { accountsApi } from '@bi-manager/contract'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { AuditIn } from '../../platform/http/caller-transaction.ts'
import { networkOf } from '../../platform/http/limits/network-of.ts'
import { serve } from '../../platform/http/serve.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { confirmationLinks, consumeLink, findLink } from '../credentials/account-links.ts'
import { withAttempt } from '../credentials/attempt-limits.ts'
import { markEmailProven } from '../credentials/confirm-email.ts'
import { isPassword } from '../credentials/passwords.ts'
import { deletePendingAccount } from './accounts.repository.ts'

/** Serves the link of a sign-up request: confirms its e-mail, or discards the request. */
export const serveEmailConfirmation = (app: FastifyInstance, services: Services): void => {
  const { db, config, secrets } = services

  /**
   * The link proves the mailbox, not that its owner chose the password: a stranger may have signed
   * up first.
   * @throws Problem 422 at `password`, counted for the account and the address; 429
   */
  const assertRequestPassword = async (
    { idUsuario, senhaHash }: { idUsuario: number; senhaHash: string },
    typed: string | null | undefined,
    { request, auditIn }: { request: FastifyRequest; auditIn: AuditIn },
  ): Promise<void> => {
    if (!typed) throw atPassword(MISSING_PASSWORD)
    const network = networkOf(request.ip)
    const { perName, perAddress } = config.signInFailures
    const allowances = [
      { key: secrets.digest(`senha-atual:${idUsuario}`), limit: perName },
      { key: secrets.digest(`endereco:${network}`), limit: perAddress },
    ]
    await withAttempt(services, { allowances }, async (attempt) => {
      if (!(await isPassword(senhaHash, typed, network))) {
        await auditIn(db, 'account.confirmation-refused', `usuario:${idUsuario}`, { motivo: 'senha errada' })
        throw atPassword(WRONG_PASSWORD)
      }
      await attempt.forget(db)
    })
  }

  serve(app, accountsApi.confirmEmail, async ({ body: { token, password } }, context) => {
    const link = await findLink(db, services, token, confirmationLinks)
    const { idUsuario, senhaHash } = link
    if (senhaHash !== null) await assertRequestPassword({ idUsuario, senhaHash }, password, context)
    return inTransaction(db, async (tx) => {
      const used = await consumeLink(tx, services, token, confirmationLinks)
      const account = await markEmailProven(tx, used.idUsuario, senhaHash)
      if (!account) throw new Problem('link_invalido')
      await context.auditIn(tx, 'account.email-confirmed', `usuario:${account.idUsuario}`, { meio: 'link' })
      return {
        mensagem:
          account.situacao === 'PENDENTE'
            ? confirmedAndWaiting(config.mail.smtpUrl !== undefined)
            : 'E-mail confirmado.',
      }
    })
  })

  serve(app, accountsApi.disownRequest, async ({ body: { token } }, { auditIn }) => {
    await inTransaction(db, async (tx) => {
      const used = await consumeLink(tx, services, token, confirmationLinks)
      const antes = await deletePendingAccount(tx, used.idUsuario)
      if (!antes) throw new Problem('conta_nao_pendente')
      await auditIn(tx, 'account.disowned', `usuario:${used.idUsuario}`, { antes })
    })
  })
}

const atPassword = (text: string) => new Problem('campos_invalidos', { campos: { password: text } })

const MISSING_PASSWORD = 'Informe a senha que você escolheu no cadastro.'
const WRONG_PASSWORD =
  'Esta não é a senha deste pedido. Se você não se lembra dela, ou se outra pessoa fez o pedido, defina uma nova em “Recuperar senha”: o link de lá prova que o e-mail é seu e troca a senha do pedido.'

const confirmedAndWaiting = (sendsMail: boolean): string =>
  sendsMail
    ? 'E-mail confirmado. Aguarde a aprovação de um administrador: a resposta chega por e-mail.'
    : 'E-mail confirmado. Aguarde a aprovação de um administrador, que avisa você: este portal não envia e-mails.'
