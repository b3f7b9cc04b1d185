import { demandsSecondFactor, type SecondFactorPolicy } from '@bi-manager/contract'
import { useQuery } from '@tanstack/react-query'
import { currentUserQuery, secondFactorQuery } from '../../lib/queries.ts'

/** Whether a rule would ask the person who chooses it to set up a second factor first. */
export const useOwnSetUp = () => {
  const { data: own } = useQuery(secondFactorQuery)
  const { data: user } = useQuery(currentUserQuery)
  return (policy: SecondFactorPolicy): boolean => {
    if (own?.ativo !== false || !user?.temSenha) return false
    return demandsSecondFactor(policy, { ...user, tipo: user.tipoUsuario })
  }
}
