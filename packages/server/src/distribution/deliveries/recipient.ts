import { type Selectable, sql } from 'kysely'
import { type EffectiveIdentity, effectiveIdentityOf } from '../../connections/index.ts'
import type { Secrets } from '../../platform/config/secrets.ts'
import { isActiveAccount } from '../../platform/db/queries/expiry.ts'
import type { Tables } from '../../platform/db/types.ts'
import {
  type ExportableReport,
  exportScope,
  hasIdentity,
  personSees,
  viewDenialReason,
} from '../../reports/index.ts'
import { isAllowedAddress, type RecipientRules } from './sending-rules.ts'

/* Who may get what of a report now: the owner of an alert, the recipient of a subscription. */

type User = Selectable<Tables['usuario']>

/**
 * Selects what decides whether a person may get something of the report of the row, and whose rows it has.
 * @param person the alias of `usuario`
 */
export const recipientColumns = (person: string) => {
  const column = <C extends keyof User & string>(name: C) => sql.ref<User[C]>(`${person}.${name}`)
  return [
    column('idUsuario').as('idUsuario'),
    column('nomeUsuario').as('nomeUsuario'),
    column('emailUsuario').as('emailUsuario'),
    column('emailPorProvar').as('emailPorProvar'),
    column('identidadeRls').as('identidadeRls'),
    column('tipoUsuario').as('tipo'),
    column('acessoProntuario').as('acessoProntuario'),
    column('temSegundoFator').as('temSegundoFator'),
    column('trocarSenha').as('trocarSenha'),
    isActiveAccount(person).as('isActive'),
    hasIdentity(person).as('temIdentidade'),
    personSees(person).as('sees'),
  ] as const
}

/** Whether something may be sent now, and whose rows it has, or why not, in Portuguese. */
export type DeliveryAccess =
  | { isAllowed: true; alcance: string; identity: EffectiveIdentity | undefined }
  | { isAllowed: false; motivo: string }

/** Reasons of the account; `viewDenialReason` has more. */
export const INACTIVE = 'A conta não está ativa.'
export const UNCONFIRMED_EMAIL = 'O e-mail não foi confirmado.'
const OTHER_DOMAIN = 'O e-mail não é de um domínio permitido.'

type Account = Parameters<typeof viewDenialReason>[0] & { isActive: boolean }

/** Returns why the portal would not show the person the report now, in Portuguese; null when it would. */
export const accountSkipReason = (person: Account, rules: RecipientRules): string | null =>
  person.isActive ? viewDenialReason(person, rules) : INACTIVE

type Address = Pick<User, 'emailPorProvar' | 'emailUsuario'>

/** Returns why the person gets no e-mail, in Portuguese; null when they do. */
export const emailSkipReason = (
  { emailPorProvar, emailUsuario }: Address,
  rules: Pick<RecipientRules, 'dominios'>,
): string | null => {
  if (emailPorProvar) return UNCONFIRMED_EMAIL
  return isAllowedAddress(rules, emailUsuario) ? null : OTHER_DOMAIN
}

type Recipient = ExportableReport & Address & Pick<User, 'identidadeRls'>

/**
 * Returns as whom rows are read, and a keyed digest of all that determines them.
 * @param what all besides report and identity that determines what is sent
 * @throws Problem 403 as `effectiveIdentityOf`
 */
export const deliveryScope = (
  row: Recipient,
  { digest }: Pick<Secrets, 'digest'>,
  kind: 'alerta' | 'assinatura',
  what: readonly unknown[],
) => {
  const identity = effectiveIdentityOf(row, { ...row, emailComprovado: !row.emailPorProvar })
  return { identity, alcance: digest(`${kind}:${JSON.stringify([exportScope(row, identity), ...what])}`) }
}
