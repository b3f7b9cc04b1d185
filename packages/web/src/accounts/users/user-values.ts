import { fieldsWhere, type User, type UserDraft, type UserUpdate, userEntity } from '@bi-manager/contract'
import { dayOfText, textOfDay } from '../../ui/day-field/day-text.ts'
import type { WholeBody } from '../../ui/entity-form/field-values.ts'

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
  validoAte: textOfDay(user?.validoAte ?? undefined),
  ...textsOf((name) => user?.[name] ?? ''),
})

export type UserValues = ReturnType<typeof valuesOf>

/** The form shows these fields once the user exists. */
type LaterFields = 'conselhoProfissional' | 'numeroRegistro' | 'ufRegistro'

export const draftOf = ({
  nomeUsuario,
  emailUsuario,
  senhaUsuario,
  validoAte,
}: UserValues): Omit<WholeBody<UserDraft>, LaterFields> => ({
  nomeUsuario,
  emailUsuario,
  senhaUsuario: senhaUsuario ?? '',
  validoAte: dayOf(validoAte),
})

/** Returns the request body. The form does not show the responsible unit. */
export const updateOf = ({
  senhaUsuario,
  ...values
}: UserValues): Omit<WholeBody<UserUpdate>, 'idResponsavel'> => ({
  ...values,
  validoAte: dayOf(values.validoAte),
  ...textsOf((name) => values[name].trim()),
  senhaUsuario: senhaUsuario ?? undefined,
})

/** The server refuses a text that is not a day. */
const dayOf = (text: string): string => dayOfText(text) ?? text

const textsOf = (textOf: (name: keyof OptionalTexts) => string) =>
  Object.fromEntries(optionalTexts.map((name) => [name, textOf(name)])) as OptionalTexts
