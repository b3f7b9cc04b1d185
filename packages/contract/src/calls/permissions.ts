/** The caller, for access decisions. All fields come from the database, not from the token. */
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

/** Permissions of routes, and who holds them. The route's own query checks the target. */
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
  'kiosks:manage': admin,
  /** A connected screen, which is no person: the guard finds it by its own credential. */
  'kiosk:show': () => false,
  'guests:manage': admin,
  /** A guest, who is no user: the guard finds the visit by its own credential. */
  'guest:visit': () => false,
  'announcements:manage': admin,
  'api-keys:manage': admin,
  /** The subscriptions of all people; each person's own need 'reports:view'. */
  'subscriptions:manage': admin,
  /** The alerts of all people, and DAX queries; each person's own need 'reports:view'. */
  'alerts:manage': admin,
  'settings:manage': admin,
  'system:read': admin,
  'audit:read': admin,
  'usage:read': admin,
  'records:access': clinician,
  /** The data protection officer must also be a clinician: the pages show medical records. */
  'data-protection:manage': (actor) => clinician(actor) && actor?.encarregadoDados === true,
} as const satisfies Record<string, Rule>

/** Permissions of calls that no user makes. */
export const impersonalPermissions = [
  'public',
  'kiosk:show',
  'guest:visit',
] as const satisfies readonly Permission[]
export type ImpersonalPermission = (typeof impersonalPermissions)[number]

/** Returns whether calls with this permission have no user as caller. */
export const isImpersonal = (permission: Permission): permission is ImpersonalPermission =>
  (impersonalPermissions as readonly Permission[]).includes(permission)

export type Permission = keyof typeof permissions

/** Returns whether the actor (undefined: not signed in) holds the permission. */
export const can = (actor: Actor | undefined, permission: Permission): boolean =>
  permissions[permission](actor)
