import type { User, UserDraft, UserUpdate } from '@bi-manager/contract'

export interface UserValues {
  nomeUsuario: string
  emailUsuario: string
  senhaUsuario: string | null
  tipoUsuario: User['tipoUsuario']
  situacao: User['situacao']
  acessoProntuario: boolean
  encarregadoDados: boolean
  identidadeRls: string
  conselhoProfissional: string
  numeroRegistro: string
  ufRegistro: string
}

export const required = ['nomeUsuario', 'emailUsuario', 'senhaUsuario'] as const

export const valuesOf = (user: User | undefined): UserValues => ({
  nomeUsuario: user?.nomeUsuario ?? '',
  emailUsuario: user?.emailUsuario ?? '',
  senhaUsuario: user ? null : '',
  tipoUsuario: user?.tipoUsuario ?? 'USER',
  situacao: user?.situacao ?? 'ATIVO',
  acessoProntuario: user?.acessoProntuario ?? false,
  encarregadoDados: user?.encarregadoDados ?? false,
  identidadeRls: user?.identidadeRls ?? '',
  conselhoProfissional: user?.conselhoProfissional ?? '',
  numeroRegistro: user?.numeroRegistro ?? '',
  ufRegistro: user?.ufRegistro ?? '',
})

export const draftOf = ({ nomeUsuario, emailUsuario, senhaUsuario }: UserValues): UserDraft => ({
  nomeUsuario,
  emailUsuario,
  senhaUsuario: senhaUsuario ?? '',
})

export const updateOf = ({ senhaUsuario, ...values }: UserValues): UserUpdate => ({
  ...values,
  identidadeRls: values.identidadeRls.trim(),
  ...(senhaUsuario === null ? {} : { senhaUsuario }),
})

export const statusNames: Record<User['situacao'], string> = {
  ATIVO: 'Ativo',
  PENDENTE: 'Pendente',
  BLOQUEADO: 'Bloqueado',
}
