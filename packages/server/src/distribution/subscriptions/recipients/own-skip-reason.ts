import type { Caller } from '../../../platform/http/callers/caller.ts'
import { emailSkipReason, UNCONFIRMED_EMAIL } from '../../deliveries/recipient.ts'
import type { SendingRules } from '../../deliveries/sending-rules.ts'

/** Returns why this person would get no e-mail, in Portuguese; null when they would. */
export const ownSkipReason = (
  rules: SendingRules,
  { emailUsuario, emailComprovado }: Pick<Caller, 'emailUsuario' | 'emailComprovado'>,
): string | null => {
  const reason = emailSkipReason({ emailUsuario, emailPorProvar: !emailComprovado }, rules)
  if (reason === null) return null
  return reason === UNCONFIRMED_EMAIL
    ? 'O seu e-mail ainda não foi confirmado: nenhuma assinatura é enviada a ele.'
    : 'O seu e-mail não é de um domínio permitido para assinaturas. Fale com um administrador.'
}
