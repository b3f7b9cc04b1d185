import type { Caller } from '../../../platform/http/callers/caller.ts'
import { isAllowedAddress, type SendingRules } from '../../deliveries/sending-rules.ts'

/** Returns why this person would get no e-mail, in Portuguese; null when they would. */
export const ownSkipReason = (
  rules: SendingRules,
  { emailUsuario, emailComprovado }: Pick<Caller, 'emailUsuario' | 'emailComprovado'>,
): string | null => {
  if (!emailComprovado) return 'O seu e-mail ainda não foi confirmado: nenhuma assinatura é enviada a ele.'
  return isAllowedAddress(rules, emailUsuario)
    ? null
    : 'O seu e-mail não é de um domínio permitido para assinaturas. Fale com um administrador.'
}
