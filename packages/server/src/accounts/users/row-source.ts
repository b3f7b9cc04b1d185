import { isDeepStrictEqual } from 'node:util'

/**
 * What decides the rows that a person, a screen or a registered report shows: the identity that is
 * sent, and what it is applied to.
 */
export interface RowSource {
  user: string | null
  customData: string | null
  isSent: boolean
  roles: string[]
  /** Type, connection, workspace, report and datasets of a registration. */
  place: string[]
  /** The rows may not leave the portal. */
  isSensitive: boolean
}

/** What neither a person, a screen nor a registration decides. */
export const undecided: RowSource = {
  user: null,
  customData: null,
  isSent: false,
  roles: [],
  place: [],
  isSensitive: false,
}

export const rowsOfPerson = (person: { emailUsuario: string; identidadeRls: string | null }): RowSource => ({
  ...undecided,
  user: person.emailUsuario,
  customData: person.identidadeRls,
})

export const rowsOfScreen = (screen: {
  usuarioIdentidade: string | null
  identidadeRls: string | null
}): RowSource => ({ ...undecided, user: screen.usuarioIdentidade, customData: screen.identidadeRls })

/**
 * Returns whether a change may show other rows, or let rows leave the portal. Every call that
 * changes what decides the rows compares with this function, and requires a recent proof.
 */
export const changesRows = (before: RowSource | undefined, after: RowSource | undefined): boolean => {
  const { isSensitive: wasSensitive, roles: formerRoles, ...source } = before ?? undecided
  const { isSensitive, roles, ...changed } = after ?? undecided
  return (
    (wasSensitive && !isSensitive) || !isWithin(roles, formerRoles) || !isDeepStrictEqual(source, changed)
  )
}

/** The rows of several roles add up: with fewer of them a viewer sees fewer, but all with none. */
const isWithin = (roles: string[], former: string[]): boolean =>
  roles.length === 0 ? former.length === 0 : roles.every((role) => former.includes(role))
