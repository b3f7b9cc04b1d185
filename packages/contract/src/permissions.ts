/** Who is asking, as far as a decision needs to know. `tipo` and the flag are read live, never from the token. */
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
// The flag alone: an ADMIN without it stays out.
const clinician: Rule = (actor) => actor?.acessoProntuario === true

/**
 * Every permission a route may state, and who holds it. A target (this user, this report) is judged by the route's own
 * query; this table only says who may knock.
 */
export const permissions = {
  public: anyone,
  /** All that somebody may do who still has to set up the second factor that the installation demands. */
  'session:own': signedIn,
  'account:own': signedIn,
  'menu:read': signedIn,
  'reports:view': signedIn,
  'pages:read': signedIn,
  'pages:manage': admin,
  'connections:manage': admin,
  'workspaces:manage': admin,
  'reports:manage': admin,
  /** Of anybody for an ADMIN, of oneself for others: the route judges the target. */
  'users:read': signedIn,
  'users:manage': admin,
  'grants:read': signedIn,
  'grants:manage': admin,
  'profiles:manage': admin,
  'settings:manage': admin,
  'system:read': admin,
  'audit:read': admin,
  'records:access': clinician,
  /** What the officer is shown holds medical records: both flags are needed. */
  'data-protection:manage': (actor) => clinician(actor) && actor?.encarregadoDados === true,
} as const satisfies Record<string, Rule>

export type Permission = keyof typeof permissions

/** Whether this actor (undefined: nobody signed in) holds the permission. */
export const can = (actor: Actor | undefined, permission: Permission): boolean =>
  permissions[permission](actor)
