import type { SecondFactorPolicy, SecuritySettings } from '@bi-manager/contract'
import { counted } from '../../lib/text/counted.ts'

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
    policy: 'prontuarios',
    label: 'Exigido de quem acessa prontuários',
    explain: ({ prontuarios }) => peopleWithout(prontuarios),
  },
  {
    policy: 'administradores_e_prontuarios',
    label: 'Exigido de administradores e de quem acessa prontuários',
    explain: (without) => peopleWithout(without.administradores_e_prontuarios),
  },
  {
    policy: 'todos',
    label: 'Exigido de todos',
    explain: ({ todos }) => peopleWithout(todos),
  },
]

const stillWithout = (count: number, [one, many]: [string, string]): string =>
  count === 0 ? 'Todos já têm.' : `${counted(count, one, many)}.`

export const peopleWithout = (count: number): string =>
  stillWithout(count, ['pessoa ainda não tem', 'pessoas ainda não têm'])
