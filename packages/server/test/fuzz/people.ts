import { can, type Permission } from '@bi-manager/contract'
import { giveSecondFactor } from '../accounts/second-factor.ts'
import type { TestApp } from '../test-app.ts'
import { createUser } from '../users.ts'

const user = {
  tipoUsuario: 'USER',
  acessoProntuario: false,
  encarregadoDados: false,
  situacao: 'ATIVO',
  segundoFator: false,
} as const

export const roles = {
  nobody: undefined,
  USER: user,
  'USER with prontuários': { ...user, acessoProntuario: true },
  encarregado: { ...user, acessoProntuario: true, encarregadoDados: true },
  // Signed in as ADMIN before the status changed: the session must no longer work.
  PENDENTE: { ...user, tipoUsuario: 'ADMIN', situacao: 'PENDENTE', segundoFator: true },
  ADMIN: { ...user, tipoUsuario: 'ADMIN', segundoFator: true },
  'ADMIN without the demanded second factor': { ...user, tipoUsuario: 'ADMIN' },
} as const
export type Role = keyof typeof roles
export const roleNames = Object.keys(roles) as Role[]

interface Person {
  user: { idUsuario: number; emailUsuario: string }
  token: string | undefined
}

/** The users of a run. One whose session a request ended is replaced by a new one. */
export const createPeople = (app: TestApp, onSecret: (secret: string, name: string) => void) => {
  const people = new Map<Role, Person>()
  const enter = async (role: Role): Promise<Person> => {
    const actor = roles[role]
    const { tipoUsuario, acessoProntuario, encarregadoDados } = actor ?? user
    const created = await createUser(app, { tipoUsuario, acessoProntuario, encarregadoDados })
    if (!actor) return { user: created, token: undefined }
    const { token } = await app.as(created)
    onSecret(token, `the session token of ${role}`)
    if (actor.segundoFator) {
      const { secret, recoveryCodes } = await giveSecondFactor(app, created.idUsuario)
      onSecret(secret, `the second factor of ${role}`)
      for (const code of recoveryCodes) onSecret(code, `a recovery code of ${role}`)
    }
    const { situacao } = actor
    await app.db.updateTable('usuario').set({ situacao }).where('idUsuario', '=', created.idUsuario).execute()
    return { user: created, token }
  }
  const find = async (role: Role): Promise<Person> => {
    const known = people.get(role)
    if (known) return known
    const person = await enter(role)
    people.set(role, person)
    return person
  }
  return {
    of: find,
    /** Returns the role's user, and a new one if it was deleted. */
    thereAs: async (role: Role): Promise<Person> => {
      const { user } = await find(role)
      const row = await app.db
        .selectFrom('usuario')
        .select('idUsuario')
        .where('idUsuario', '=', user.idUsuario)
        .executeTakeFirst()
      if (!row) people.delete(role)
      return find(role)
    },
    lose: (role: Role) => people.delete(role),
  }
}

/** Returns whether the role has the permission; the route checks the target. */
export const mayCall = (role: Role, permission: Permission): boolean => {
  const actor = roles[role]
  const isIn = actor?.situacao === 'ATIVO'
  if (isIn && !actor.segundoFator && actor.tipoUsuario === 'ADMIN') {
    return permission === 'public' || permission === 'session:own'
  }
  return can(
    isIn
      ? {
          tipo: actor.tipoUsuario,
          acessoProntuario: actor.acessoProntuario,
          encarregadoDados: actor.encarregadoDados,
        }
      : undefined,
    permission,
  )
}
