import { demandsSecondFactor, type SecondFactorPolicy } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { currentUserQuery, secondFactorQuery } from '../../lib/api/queries.ts'

/** Returns a check whether a rule would require the current user to set up a second factor. */
export const useNeedsOwnSetUp = () => {
  const { data: own } = useQuery(secondFactorQuery)
  const { data: user } = useQuery(currentUserQuery)
  return (policy: SecondFactorPolicy): boolean => {
    if (own?.ativo !== false || !user?.temSenha) return false
    return demandsSecondFactor(policy, { ...user, tipo: user.tipoUsuario })
  }
}
