import { demandsSecondFactor, type SecondFactorPolicy } from '@bi-manager/contract'
import { sql } from 'kysely'

/** Whether the person of this alias of `usuario` signs in at an identity provider. */
export const hasIdentity = (person: string) =>
  sql<boolean>`exists (select from identidade_externa i
    where i.id_usuario = ${sql.ref(`${person}.idUsuario`)})`

type Person = Parameters<typeof demandsSecondFactor>[1] & {
  trocarSenha: string | null
  temSegundoFator: boolean
  temIdentidade: boolean
  sees: boolean
}

/** Returns why the portal would not show an active person the report, in Portuguese; null when it would. */
export const viewDenialReason = (
  person: Person,
  { segundoFator }: { segundoFator: SecondFactorPolicy },
): string | null => {
  // Until they have done this, the portal shows them no report.
  if (person.trocarSenha === 'obrigatoria') return 'Ainda precisa trocar a senha da instalação.'
  if (demandsSecondFactor(segundoFator, person) && !person.temSegundoFator && !person.temIdentidade)
    return 'Ainda precisa configurar o segundo fator de autenticação.'
  return person.sees ? null : 'Não pode ver o relatório.'
}
