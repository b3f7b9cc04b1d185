import { fieldsWhere, type User, type UserDraft, type UserUpdate, userEntity } from '@bi-manager/contract'

const optionalTexts = fieldsWhere(userEntity, 'control', ['optionalText'])
type OptionalTexts = Record<(typeof optionalTexts)[number], string>

export const required = ['nomeUsuario', 'emailUsuario', 'senhaUsuario'] as const

export const valuesOf = (user: User | undefined) => ({
  nomeUsuario: user?.nomeUsuario ?? '',
  emailUsuario: user?.emailUsuario ?? '',
  senhaUsuario: user ? null : '',
  tipoUsuario: user?.tipoUsuario ?? 'USER',
  situacao: user?.situacao ?? 'ATIVO',
  acessoProntuario: user?.acessoProntuario ?? false,
  encarregadoDados: user?.encarregadoDados ?? false,
  conselhoProfissional: user?.conselhoProfissional ?? '',
  ufRegistro: user?.ufRegistro ?? '',
  ...textsOf((name) => user?.[name] ?? ''),
})

export type UserValues = ReturnType<typeof valuesOf>

export const draftOf = ({ nomeUsuario, emailUsuario, senhaUsuario }: UserValues): UserDraft => ({
  nomeUsuario,
  emailUsuario,
  senhaUsuario: senhaUsuario ?? '',
})

export const updateOf = ({ senhaUsuario, ...values }: UserValues): UserUpdate => ({
  ...values,
  ...textsOf((name) => values[name].trim()),
  ...(senhaUsuario === null ? {} : { senhaUsuario }),
})

const textsOf = (textOf: (name: keyof OptionalTexts) => string) =>
  Object.fromEntries(optionalTexts.map((name) => [name, textOf(name)])) as OptionalTexts
