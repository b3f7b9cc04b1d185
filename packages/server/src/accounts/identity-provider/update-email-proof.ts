import { emailKey } from '@bi-manager/contract'
import type { FastifyRequest } from 'fastify'
import type { Db } from '../../platform/db/open-database.ts'
import type { Services } from '../../platform/http/services.ts'
import { markEmailProven, sendConfirmation } from '../credentials/confirm-email.ts'
import { unlinkUnproven } from '../credentials/unproven-identities.ts'
import {
  type findAccountOfIdentity,
  hasConfirmationSince,
  markIdentityProven,
} from './identities.repository.ts'
import type { ExternalPerson } from './oidc-client.ts'

type Known = NonNullable<Awaited<ReturnType<typeof findAccountOfIdentity>>>

interface SignedInIdentity {
  account: Known
  identity: { emissor: string; sujeito: string }
  /** Whether the provider confirms the e-mail that it sends. */
  isProof: boolean
}

/** At most one confirmation e-mail a day, however often the person signs in. */
const sentEvery = 24 * 3_600_000

/**
 * Updates the proof of the account's e-mail at a sign-in of a linked identity. When the provider
 * confirms the e-mail, it is proven and identities linked without proof are removed; otherwise a
 * confirmation link is sent.
 */
export const updateEmailProof = async (
  tx: Db,
  { services, person, request }: { services: Services; person: ExternalPerson; request: FastifyRequest },
  { account, identity, isProof }: SignedInIdentity,
): Promise<void> => {
  const { idUsuario, emailUsuario, emailPorProvar, semProva, situacao, isCurrent } = account
  if (situacao === 'BLOQUEADO' || !isCurrent || !(emailPorProvar || semProva)) return
  if (isProof && person.email !== undefined && emailKey(person.email) === emailKey(emailUsuario)) {
    await markIdentityProven(tx, identity)
    await unlinkUnproven(tx, services, account, { kept: identity, request })
    if (!(await markEmailProven(tx, idUsuario))) return
    await services.writeAudit(tx, {
      action: 'account.email-confirmed',
      idUsuario: null,
      subject: `usuario:${idUsuario}`,
      details: { meio: 'provedor', ...identity },
      request,
    })
    return
  }
  const since = new Date(services.now().getTime() - sentEvery)
  if (!emailPorProvar || (await hasConfirmationSince(tx, idUsuario, since))) return
  await sendConfirmation(tx, services, { ...account, aguardaAprovacao: situacao === 'PENDENTE' })
}
