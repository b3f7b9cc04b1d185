/*
 * First parts of the keys of queries that several features read or invalidate. They are the `list`
 * of the entity, where there is one.
 */

export const connectionsKey = ['powerbis'] as const
export const workspacesKey = ['workspaces'] as const
export const reportsKey = ['relatorios'] as const
export const usersKey = ['usuarios'] as const
export const profilesKey = ['perfis'] as const
export const capacitiesKey = ['capacidades'] as const

/** A user's granted reports. */
export const grantsKey = ['permissoes'] as const

/** One's own requests for access to reports. */
export const ownRequestsKey = ['meus-pedidos-acesso'] as const

/** The reasons why a user can view a report, or cannot. */
export const reasonsKey = ['acesso'] as const
