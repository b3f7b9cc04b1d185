import { randomBytes } from 'node:crypto'
import { Email, NAME_LENGTH, personName, toPersonName } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import { inTransaction } from '../../platform/db/transactions/in-transaction.ts'
import type { Services } from '../../platform/http/services.ts'
import { Problem } from '../../platform/lib/problem.ts'
import { notify } from '../../platform/notifications/notify.ts'
import { passwordRemovedMail } from '../accounts.mail.ts'
import { markEmailProven, sendConfirmation } from '../credentials/confirm-email.ts'
import { notifyOwner, type Owner } from '../credentials/notify-owner.ts'
import { revokeCredentials } from '../credentials/revoke-credentials.ts'
import { unlinkUnproven } from '../credentials/unproven-identities.ts'
import { findNameOwners, lockNames } from '../names/names-in-use.ts'
import { accountWaiting } from '../users/account-waiting.ts'
import {
  findAccountOfIdentity,
  findSubject,
  insertIdentity,
  insertPendingPerson,
  lockAccountOfEmail,
} from './identities.repository.ts'
import type { ExternalPerson } from './oidc-client.ts'
import { updateEmailProof } from './update-email-proof.ts'

type Account = NonNullable<Awaited<ReturnType<typeof lockAccountOfEmail>>>
/** `razao` is the reason in the audit trail, where the code does not tell it. */
type Found = { account: Account } | { refusal: Problem; idUsuario?: number; razao?: string }

interface Identification {
  services: Services
  person: ExternalPerson
  request: FastifyRequest
}

/**
 * Returns the active account of a person whom the identity provider vouches for: found by the
 * linked identity, else by the confirmed e-mail, whose account is then linked. An unknown person
 * gets an account that waits for approval.
 * @throws Problem 401 without an e-mail, 403 when the account may not be used or linked
 */
export const identifyPerson = async (identification: Identification): Promise<Account> => {
  const { services, request } = identification
  const { db, writeAudit } = services
  // A refusal is returned, not thrown: the new account, the link and the audit line must be
  // committed.
  const found = await inTransaction(db, async (tx) => {
    const result = validated(await findOrCreate(tx, identification))
    if ('refusal' in result) {
      await writeAudit(tx, {
        action: 'session.refused',
        idUsuario: result.idUsuario ?? null,
        details: {
          metodo: 'provedor',
          motivo: result.refusal.codigo,
          ...(result.razao && { razao: result.razao }),
        },
        request,
      })
    }
    return result
  })
  if ('refusal' in found) throw found.refusal
  return found.account
}

const findOrCreate = async (tx: Db, identification: Identification): Promise<Found> => {
  const { person, services } = identification
  const identity = { emissor: person.issuer, sujeito: person.subject }
  const known = await findAccountOfIdentity(tx, identity)
  if (known) {
    const isProof = isConfirmed(identification)
    await updateEmailProof(tx, identification, { account: known, identity, isProof })
    return { account: known }
  }
  const email = Email.safeParse(person.email)
  if (!email.success) {
    const [razao, detail] = person.email ? ['email_refused', REFUSED_EMAIL] : ['email_missing', WITHOUT_EMAIL]
    return { refusal: new Problem('entrada_recusada', { detail }), razao }
  }
  const owner = await lockAccountOfEmail(tx, email.data)
  if (owner) return link(tx, identification, owner)
  const draft = { nomeUsuario: await freeNameOf(tx, person, email.data), emailUsuario: email.data }
  const isProven = isConfirmed(identification)
  const created = await insertPendingPerson(tx, { ...draft, emailPorProvar: !isProven })
  // A concurrent request took the e-mail: the same person in another window, or the sign-up form.
  if (!created) return findOrCreate(tx, identification)
  const { idUsuario } = created
  await insertIdentity(tx, { ...identity, idUsuario, ligadaEm: services.now(), semProva: !isProven })
  if (!isProven) await sendConfirmation(tx, services, { ...created, aguardaAprovacao: true })
  await services.writeAudit(tx, {
    action: 'account.requested',
    idUsuario: null,
    subject: `usuario:${idUsuario}`,
    details: { ...draft, metodo: 'provedor', ...identity, emailConfirmado: isProven },
    request: identification.request,
  })
  await notify(tx, accountWaiting(created), services.now())
  return { account: created }
}

/**
 * Links the account with the person's e-mail to the identity, only if the provider confirms the
 * e-mail.
 */
const link = async (tx: Db, identification: Identification, owner: Account): Promise<Found> => {
  const { person, services, request } = identification
  const { idUsuario } = owner
  const identity = { emissor: person.issuer, sujeito: person.subject }
  const subject = await findSubject(tx, idUsuario, person.issuer)
  if (subject?.sujeito === person.subject) return { account: owner }
  const refuse = (detail: string) => ({ refusal: new Problem('conta_nao_ligada', { detail }), idUsuario })
  if (!isConfirmed(identification)) return refuse(NOT_CONFIRMED)
  if (subject && !subject.semProva) return refuse(OF_ANOTHER)
  if (owner.situacao === 'BLOQUEADO' || !owner.isCurrent) return { account: owner }
  const isUnlinked = await unlinkUnproven(tx, services, owner, { request })
  await insertIdentity(tx, { ...identity, idUsuario, ligadaEm: services.now(), semProva: false })
  const isUnproven = owner.situacao === 'PENDENTE' || owner.emailPorProvar || isUnlinked
  const shutOut = isUnproven ? await revokeUnverifiedCredentials(tx, services, owner) : {}
  await markEmailProven(tx, idUsuario)
  await services.writeAudit(tx, {
    action: 'account.linked',
    idUsuario,
    subject: `usuario:${idUsuario}`,
    details: { ...identity, ...shutOut },
    request,
  })
  return { account: owner }
}

const WITHOUT_EMAIL =
  'O provedor de identidade não informou um e-mail seu. Peça a quem cuida da sua conta lá que o cadastre.'
const REFUSED_EMAIL =
  'O portal não aceita o e-mail que o provedor de identidade informou: ele não tem a forma de um e-mail. Peça a quem cuida da sua conta lá que o corrija.'
const NOT_CONFIRMED =
  'Já existe uma conta com o seu e-mail, e o provedor de identidade não confirma que ele é seu. Procure um administrador.'
const OF_ANOTHER =
  'A conta que tem o seu e-mail já está ligada a outra identidade do provedor. Procure um administrador.'

const validated = (found: Found): Found => {
  if ('refusal' in found) return found
  const { situacao, idUsuario, isCurrent } = found.account
  if (situacao === 'PENDENTE') return { refusal: new Problem('conta_pendente'), idUsuario }
  if (situacao === 'BLOQUEADO') return { refusal: new Problem('conta_bloqueada'), idUsuario }
  if (!isCurrent) return { refusal: new Problem('conta_vencida'), idUsuario }
  return found
}

/** The provider's own claim wins; the setting applies only where the provider makes none. */
const isConfirmed = ({ person, services }: Identification): boolean =>
  person.emailVerified ?? services.config.oidc?.trustEmail ?? false

/**
 * Returns the provider's name for the person, or else the local part of the e-mail. A name that is
 * in use gets the e-mail appended, and random letters where that is in use too, so that a name
 * never blocks the sign-in.
 */
const freeNameOf = async (tx: Db, { name }: ExternalPerson, email: string): Promise<string> => {
  const local = email.slice(0, email.lastIndexOf('@'))
  const own = [name ?? '', local, local.replace(/[^A-Za-z]/g, ' ')].map(toPersonName).filter(Boolean)
  const random = letters(8)
  const beside = (base: string, more: string) => `${base.slice(0, NAME_LENGTH - more.length - 3)} (${more})`
  const names = [
    ...own.slice(0, 1),
    ...[...own, LAST_NAME].flatMap((base) => [beside(base, email.slice(0, 80)), beside(base, random)]),
  ].flatMap((candidate) => personName.safeParse(candidate).data ?? [])
  await lockNames(tx)
  const owners = await findNameOwners(tx, names)
  return names.find((_, at) => !owners[at]) ?? `${LAST_NAME} (${random})`
}

const LAST_NAME = 'Pessoa'
/** No letter looks like another letter or like a digit. */
const alphabet = 'abcdefghjkmnpqrt'
const letters = (count: number): string =>
  [...randomBytes(count)].map((byte) => alphabet[byte % alphabet.length]).join('')

/**
 * Revokes the password, second factor and sessions of an account whose e-mail its real owner now
 * proves: anyone can type any e-mail into the sign-up form. Notifies the owner by e-mail and in the
 * portal.
 * @returns what was revoked, for the audit; empty when the account had no password
 */
const revokeUnverifiedCredentials = async (
  tx: Db,
  services: Pick<Services, 'secrets' | 'now'>,
  owner: Owner,
) => {
  const dropped = await revokeCredentials(tx, owner.idUsuario, services.now())
  if (!dropped.senhaRetirada) return {}
  await notifyOwner(tx, services, owner, {
    titulo: 'Senha retirada',
    texto: 'A senha com que a sua conta foi pedida não vale mais: não havia prova de que era sua.',
    kind: passwordRemovedMail,
  })
  return dropped
}
