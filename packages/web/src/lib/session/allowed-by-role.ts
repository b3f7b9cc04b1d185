import { type Actor, can, type Permission } from '@bi-manager/contract'

/**
 * Returns whether the role gives the permission; undefined: a flag of the user decides, which the
 * stored session does not have.
 */
export const allowedByRole = (
  tipo: Actor['tipo'] | undefined,
  permission: Permission,
): boolean | undefined => {
  if (!tipo) return can(undefined, permission)
  const allows = (flag: boolean) => can({ tipo, acessoProntuario: flag, encarregadoDados: flag }, permission)
  return allows(true) === allows(false) ? allows(true) : undefined
}
