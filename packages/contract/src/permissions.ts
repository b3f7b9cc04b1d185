/**
 * The caller, for access decisions. `tipo` and the flags
 * are read from the database, never from the token.
 */
export interface Actor {
  tipo: 'ADMIN' | 'USER'
  acessoProntuario: boolean
  /** The data protection officer (LGPD, art. 41). */
  encarregadoDados: boolean
}

type Rule = (actor: Actor | undefined) => boolean

const anyone: Rule = () => true
const signedIn: Rule = (actor) => actor !== undefined
const admin: Rule = (actor) => actor?.tipo === 'ADMIN'
// The flag alone decides: an ADMIN without it is refused.
const clinician: Rule = (actor) => actor?.acessoProntuario === true

/**
 * Every permission that a route may require, and who holds it. Access to a target (a user, a
 * report) is decided by the route's own query.
 */
export const permissions = {
  public: anyone,
  /** All that is allowed before a required second factor is set up. */
  'session:own': signedIn,
  'account:own': signedIn,
  'menu:read': signedIn,
  'reports:view': signedIn,
  'pages:read': signedIn,
  'pages:manage': admin,
  'connections:manage': admin,
  'workspaces:manage': admin,
  'reports:manage': admin,
  /** ADMINs may read anyone, others themselves: the route checks the target. */
  'users:read': signedIn,
  'users:manage': admin,
  'grants:read': signedIn,
  'grants:manage': admin,
  'profiles:manage': admin,
  'settings:manage': admin,
  'system:read': admin,
  'audit:read': admin,
  'records:access': clinician,
  /** The officer's pages show medical records: both flags are required. */
  'data-protection:manage': (actor) => clinician(actor) && actor?.encarregadoDados === true,
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof permissions

/** Returns whether the actor (undefined: not signed in) holds the permission. */
export const can = (actor: Actor | undefined, permission: Permission): boolean =>
  permissions[permission](actor)
