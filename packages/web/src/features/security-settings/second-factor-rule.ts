import type { SecondFactorPolicy, SecuritySettings, UserType } from '@bi-manager/contract'

interface Choice {
  policy: SecondFactorPolicy
  label: string
  explain: (without: SecuritySettings['semSegundoFator']) => string
}

export const choices: Choice[] = [
  {
    policy: 'opcional',
    label: 'Opcional',
    explain: () => 'Cada pessoa decide se usa.',
  },
  {
    policy: 'administradores',
    label: 'Exigido de administradores',
    explain: ({ administradores }) =>
      stillWithout(administradores, ['administrador ainda não tem', 'administradores ainda não têm']),
  },
  {
    policy: 'todos',
    label: 'Exigido de todos',
    explain: ({ todos }) => stillWithout(todos, ['pessoa ainda não tem', 'pessoas ainda não têm']),
  },
]

/** Whether the rule asks a person of this type for a second factor. */
export const asksOf = (policy: SecondFactorPolicy, tipo: UserType): boolean =>
  policy === 'todos' || (policy === 'administradores' && tipo === 'ADMIN')

const stillWithout = (count: number, [one, many]: [string, string]): string =>
  count === 0 ? 'Todos já têm.' : `${count.toLocaleString('pt-BR')} ${count === 1 ? one : many}.`
