import { User } from '@bi-manager/contract'

/** Returns a user whose optional fields are empty; the schema refuses a missing required one. */
export const aUser = (fields: Partial<User> = {}): User =>
  User.parse({
    ...Object.fromEntries(Object.keys(User.shape).map((name) => [name, null])),
    idUsuario: 7,
    nomeUsuario: 'Bia Costa',
    emailUsuario: 'bia@exemplo.com.br',
    emailComprovado: true,
    tipoUsuario: 'USER',
    idResponsavel: 1,
    situacao: 'ATIVO',
    acessoProntuario: false,
    encarregadoDados: false,
    segundoFator: false,
    convitePendente: false,
    versao: 1,
    ...fields,
  })
